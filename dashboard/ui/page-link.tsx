import { useRouter } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from "react";
import { BASE } from "../api/base-path.ts";
import { splitPath } from "./address.ts";
import classes from "./page-link.module.css";
import { useGo } from "./use-go.ts";

interface PageLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** A path of the dashboard below /admin, with its search. */
  to: string;
  /** Opens a panel over the same page. */
  keepScroll?: boolean;
  children?: ReactNode;
}

/** A link to a page of the dashboard. It reads ahead what the page needs when it is pointed at. */
export function PageLink({ to, keepScroll = false, className, onClick, children, ...rest }: PageLinkProps) {
  const router = useRouter();
  const go = useGo();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to, { keepScroll });
  };
  const readAhead = () => void router.preloadRoute(splitPath(to)).catch(() => undefined);
  return (
    <a
      {...rest}
      href={`${BASE}${to}`}
      className={className ?? classes["link"]}
      onClick={follow}
      onPointerEnter={readAhead}
      onFocus={readAhead}
    >
      {children}
    </a>
  );
}
