import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Language } from "../../src/wire/language.ts";
import { apiSend } from "../api/client.ts";
import { forgetPage, keepPage, SESSION_KEY, useSession } from "../api/session.ts";
import { ChevronDownIcon, LanguageIcon, MoonIcon, PeopleIcon, SignOutIcon, SunIcon } from "../ui/layout/icons.tsx";
import { PageLink } from "../ui/layout/page-link.tsx";
import { notifyFailed } from "../ui/states/notify-failed.tsx";
import { useLanguage } from "../words/language.tsx";
import { useWords } from "../words/use-words.ts";
import classes from "./account-menu.module.css";
import { useCloseOnLeave } from "./use-close-on-leave.ts";
import { words } from "./words.ts";

/** The signed-in person and their own settings: account, language, colours, signing out. */
export function AccountMenu() {
  const t = useWords(words);
  const { staff } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useCloseOnLeave(place, isOpen, () => setIsOpen(false));
  return (
    <div ref={place} className={classes["place"]}>
      {isOpen ? <Items onDone={() => setIsOpen(false)} /> : null}
      <button type="button" className={classes["account"]} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <span className={classes["who"]}>
          <span>{staff.name}</span>
          <span className={classes["role"]}>{t.roles[staff.role]}</span>
        </span>
        <ChevronDownIcon />
      </button>
    </div>
  );
}

function Items({ onDone }: { onDone: () => void }) {
  const t = useWords(words);
  const { language } = useLanguage();
  const switchLanguage = useSwitchLanguage();
  const signOut = useSignOut();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector("a")?.focus(), []); // Tab alone would lead away: the items come before the button that shows them
  return (
    <ul ref={list} className={classes["items"]}>
      <li>
        <PageLink to="/account" className={classes["item"] ?? ""} onClick={onDone}>
          <PeopleIcon /> {t.account}
        </PageLink>
      </li>
      <li>
        <button
          type="button"
          className={classes["item"]}
          lang={language === "ja" ? "en" : "ja"}
          onClick={switchLanguage}
        >
          <LanguageIcon /> {t.language}
        </button>
      </li>
      <li>
        <button
          type="button"
          className={classes["item"]}
          onClick={() => setColorScheme(scheme === "dark" ? "light" : "dark")}
        >
          {scheme === "dark" ? <SunIcon /> : <MoonIcon />} {scheme === "dark" ? t.light : t.dark}
        </button>
      </li>
      <li>
        <button type="button" className={classes["item"]} onClick={() => signOut.mutate()}>
          <SignOutIcon /> {t.signOut}
        </button>
      </li>
    </ul>
  );
}

function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend("DELETE", "/session"),
    onMutate: forgetPage,
    onSuccess: () => client.invalidateQueries({ queryKey: SESSION_KEY }),
    onError: (error) => {
      keepPage(error);
      notifyFailed(error);
    },
  });
}

/** Switches the language of the page at once, and stores it in the account. */
function useSwitchLanguage(): () => void {
  const { language, setLanguage } = useLanguage();
  const client = useQueryClient();
  const keep = useMutation({
    mutationFn: (next: Language) => apiSend("PUT", "/account", { language: next }),
    onSuccess: () => client.invalidateQueries({ queryKey: SESSION_KEY }),
    onError: notifyFailed,
  });
  return () => {
    const next = language === "en" ? "ja" : "en";
    setLanguage(next);
    keep.mutate(next);
  };
}
