import { useQuery } from "@tanstack/react-query";
import type { ProgramState } from "../../../src/admin/program/schema.ts";
import { dataQuery } from "../../api/client.ts";
import { prefetchCode } from "../../api/code.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { Page } from "../../ui/layout/page.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { useWords } from "../../words/use-words.ts";
import { ProgramEditor } from "./program-editor.tsx";
import { ProgramSkeleton } from "./program-skeleton.tsx";
import { isOwnTab, OWN_TABS } from "./tabs.ts";
import { words } from "./words.ts";

const PROGRAM_QUERY = {
  queryKey: ["program", "now"],
  queryFn: dataQuery<ProgramState>("/program"),
};

/** The store's program, changed as a draft whose effect is shown before it is applied. */
export function ProgramPage() {
  const t = useWords(words);
  const { data, error, refetch } = useQuery(PROGRAM_QUERY);
  if (data !== undefined) return <ProgramEditor newest={data} />;
  return (
    <Page title={t.title}>
      {error === null ? <ProgramSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

ProgramPage.prefetchedQueries = ({ params: { tab } }: Address) => {
  if (isOwnTab(tab)) prefetchCode(OWN_TABS[tab].load); // loads while the program is read
  return [PROGRAM_QUERY];
};
