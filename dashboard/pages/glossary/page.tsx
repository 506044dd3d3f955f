import { useEffect, useRef } from "react";
import { Page } from "../../ui/layout/page.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { GLOSSARY_TERMS, glossaryWords } from "../../words/glossary-words.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { words } from "./words.ts";

/** The meanings of a program's terms; the term in the address is highlighted. */
export function GlossaryPage() {
  const t = useWords(words);
  const meanings = useWords(glossaryWords);
  const [{ term }] = useUrlState({ term: "" });
  const chosen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (term !== "") chosen.current?.scrollIntoView({ block: "center" });
  }, [term]);
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <dl className={classes["terms"]}>
        {GLOSSARY_TERMS.map((name) => {
          const { word, meaning } = meanings[name];
          const isChosen = name === term;
          return (
            <div
              key={name}
              ref={isChosen ? chosen : null}
              className={classes["term"]}
              data-chosen={isChosen || undefined}
            >
              <dt>{word}</dt>
              <dd>{meaning}</dd>
            </div>
          );
        })}
      </dl>
    </Page>
  );
}
