import { useQuery } from "@tanstack/react-query";
import type { ProgramState } from "../../../src/admin/program/schema.ts";
import { apiGet } from "../../api/client.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Page } from "../../ui/page.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./program.module.css";
import { ProgramEditor } from "./program-editor.tsx";
import { words } from "./words.ts";

/** The program: what a store's points follow, changed as a draft whose effect is shown before it is applied. */
export function ProgramPage() {
  const t = useWords(words);
  const { data, error, refetch } = useQuery({
    queryKey: ["program", "now"],
    queryFn: async ({ signal }) => (await apiGet<{ data: ProgramState }>("/program", {}, signal)).data,
  });
  if (data !== undefined) return <ProgramEditor newest={data} />;
  return (
    <Page title={t.title}>
      {error === null ? <Skeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

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
