import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import type { Language } from "../../src/wire/language.ts";

const STORED_UNDER = "pointkeeper-language";

interface LanguageState {
  readonly language: Language;
  setLanguage(language: Language): void;
}

const LanguageContext = createContext<LanguageState | null>(null);

function firstLanguage(): Language {
  const kept = localStorage.getItem(STORED_UNDER);
  if (kept === "en" || kept === "ja") return kept;
  return navigator.language.toLowerCase().startsWith("ja") ? "ja" : "en";
}

/** Holds the language of the page: the last choice in this browser, or the browser's own. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choose = useCallback((next: Language) => {
    localStorage.setItem(STORED_UNDER, next);
    setLanguage(next);
  }, []);
  const state = useMemo(() => ({ language, setLanguage: choose }), [language, choose]);
  return <LanguageContext value={state}>{children}</LanguageContext>;
}

export function useLanguage(): LanguageState {
  const state = useContext(LanguageContext);
  if (state === null) throw new Error("The page is outside LanguageProvider.");
  return state;
}
