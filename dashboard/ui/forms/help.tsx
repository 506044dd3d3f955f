import { Popover, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { BASE } from "../../api/base-path.ts";
import { type GlossaryTerm, glossaryWords } from "../../words/glossary-words.ts";
import { type ExampleName, exampleWords } from "../../words/program-example-words.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "../words.ts";
import classes from "./help.module.css";

interface HelpProps {
  /** The worked example. */
  example: ExampleName;
  /** What it explains, for people who only hear the button. */
  of: string;
  /** The glossary's term for it, if there is one. */
  term?: GlossaryTerm;
}

/** A small button that opens a worked example, with a link to the glossary's term. */
export function Help({ example, of, term }: HelpProps) {
  const t = useWords(words);
  const examples = useWords(exampleWords);
  const glossary = useWords(glossaryWords);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setIsOpen} withinPortal={false} position="bottom-start" width={320} shadow="sm">
      <Popover.Target>
        <button type="button" className={classes["button"]} onClick={() => setIsOpen(!isOpen)}>
          <span aria-hidden="true">{t.example}</span>
          <VisuallyHidden>{t.exampleOf(of)}</VisuallyHidden>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes["text"]}>
        <p>{examples[example]}</p>
        {term === undefined ? null : (
          <a href={`${BASE}/glossary?term=${term}`} target="_blank" rel="noreferrer">
            {t.glossary(glossary[term].word)}
          </a>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
