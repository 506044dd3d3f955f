import { useQuery } from "@tanstack/react-query";
import type { ProgramState } from "../../../src/admin/program/schema.ts";
import { readingData } from "../../api/client.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Page } from "../../ui/page.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./program.module.css";
import { ProgramEditor } from "./program-editor.tsx";
import { words } from "./words.ts";

const PROGRAM_QUERY = {
  queryKey: ["program", "now"],
  queryFn: readingData<ProgramState>("/program"),
};

/** The program: what a store's points follow, changed as a draft whose effect is shown before it is applied. */
export function ProgramPage() {
  const t = useWords(words);
  const { data, error, refetch } = useQuery(PROGRAM_QUERY);
  if (data !== undefined) return <ProgramEditor newest={data} />;
  return (
    <Page title={t.title}>
      {error === null ? <Skeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

ProgramPage.firstReads = () => [PROGRAM_QUERY];

const BONES = ["a", "b", "c", "d", "e", "f"];

function Skeleton() {
  return (
    <div className={classes["bones"]} aria-busy="true">
      {BONES.map((bone) => (
        <span key={bone} className={classes["bone"]} />
      ))}
    </div>
  );
}
