import { type ReactNode, useEffect } from "react";
import { useSession } from "../../api/session.ts";
import { ArrowLeftIcon } from "./icons.tsx";
import classes from "./page.module.css";
import { PageLink } from "./page-link.tsx";

interface PageProps {
  title: string;
  subtitle?: ReactNode;
  /** The page's main action. */
  action?: ReactNode;
  /** The parent page: its path and its name. */
  back?: { to: string; label: string };
  children: ReactNode;
}

/** A page: its title, one main action, and its content. */
export function Page({ title, subtitle, action, back, children }: PageProps) {
  const { name } = useSession().store;
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <div className={classes["page"]}>
      {back === undefined ? null : (
        <PageLink to={back.to} className={classes["back"] ?? ""}>
          <ArrowLeftIcon /> {back.label}
        </PageLink>
      )}
      <header className={classes["head"]}>
        <div className={classes["names"]}>
          <h1 className={classes["title"]}>{title}</h1>
          {subtitle === undefined ? null : <div className={classes["subtitle"]}>{subtitle}</div>}
        </div>
        {action === undefined ? null : <div className={classes["action"]}>{action}</div>}
      </header>
      {children}
    </div>
  );
}
