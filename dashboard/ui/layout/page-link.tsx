import { useRouter } from "@tanstack/react-router";
import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useRef } from "react";
import { BASE } from "../../api/base-path.ts";
import { prefetchCode } from "../../api/code.ts";
import { askToLeave } from "../forms/ask-to-leave.ts";
import { splitPath } from "../urls/address.ts";
import { useNavigateTo } from "../urls/use-navigate-to.ts";
import { loadPageCode } from "./load-page-code.ts";
import classes from "./page-link.module.css";

interface PageLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** A path of the dashboard below /admin, with its search. */
  to: string;
  /** Opens a panel over the same page. */
  keepScroll?: boolean;
  /** Whether a person who points at it for a moment will probably follow it: the page's queries then start at once, not only when it is pressed. */
  isLikely?: boolean;
  /** Asks first where a form would lose its input. */
  asksToLeave?: boolean;
  children?: ReactNode;
}

/** Moving the pointer across a link does not count. */
const POINTED_MS = 60;

/** A link to a page of the dashboard. The page's code is loaded when the pointer is on the link, its data when it is pressed. */
export function PageLink({
  to,
  keepScroll = false,
  isLikely = false,
  asksToLeave = false,
  className,
  onClick,
  children,
  ...rest
}: PageLinkProps) {
  const router = useRouter();
  const go = useNavigateTo();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (asksToLeave) askToLeave(() => go(to, { keepScroll }));
    else go(to, { keepScroll });
  };
  const readAhead = () => void router.preloadRoute(splitPath(to)).catch(() => undefined);
  const fetchCode = () => prefetchCode(() => loadPageCode(router, to));
  const pointed = useRef<ReturnType<typeof setTimeout>>(undefined);
  const point = () => {
    pointed.current = setTimeout(isLikely ? readAhead : fetchCode, POINTED_MS);
  };
  const unpoint = () => clearTimeout(pointed.current);
  return (
    <a
      {...rest}
      href={`${BASE}${to}`}
      className={className ?? classes["link"]}
      onClick={follow}
      onPointerEnter={point}
      onPointerLeave={unpoint}
      onFocus={point}
      onBlur={unpoint}
      onPointerDown={readAhead}
    >
      {children}
    </a>
  );
}
