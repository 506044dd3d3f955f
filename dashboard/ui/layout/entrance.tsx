import { type ReactNode, useEffect } from "react";
import { apiUrl } from "../../api/client.ts";
import { useSessionData } from "../../api/session.ts";
import { useLanguage } from "../../words/language.tsx";
import classes from "./entrance.module.css";

interface EntranceProps {
  title: string;
  subtitle?: ReactNode;
  /** The name of the other language, in that language. */
  otherLanguage: string;
  children: ReactNode;
}

/** The narrow page before the dashboard: signing in, the first run, and choosing a password. */
export function Entrance({ title, subtitle, otherLanguage, children }: EntranceProps) {
  const { data } = useSessionData();
  const { language, setLanguage } = useLanguage();
  const store = data?.store?.name ?? "Pointkeeper";
  const other = language === "en" ? "ja" : "en";
  useEffect(() => {
    document.title = `${title} · ${store}`;
  }, [title, store]);
  return (
    <main className={classes["entrance"]} data-entrance>
      <div className={classes["form"]}>
        {data == null || data.theme.logo === null ? null : (
          <img className={classes["logo"]} alt="" src={apiUrl("/theme/logo.png", { v: data.theme.logo })} />
        )}
        <p className={classes["store"]}>{store}</p>
        <h1 className={classes["title"]}>{title}</h1>
        {subtitle === undefined ? null : <p className={classes["subtitle"]}>{subtitle}</p>}
        {children}
      </div>
      <button type="button" lang={other} className={classes["language"]} onClick={() => setLanguage(other)}>
        {otherLanguage}
      </button>
    </main>
  );
}
