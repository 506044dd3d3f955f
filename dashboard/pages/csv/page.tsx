import { Button } from "@mantine/core";
import type { Address } from "../../api/prefetch-queries.ts";
import { useSession } from "../../api/session.ts";
import { Page } from "../../ui/layout/page.tsx";
import { ListActions } from "../../ui/lists/list-actions.tsx";
import { PageNotFound } from "../../ui/states/page-not-found.tsx";
import { useNavigateTo } from "../../ui/urls/use-navigate-to.ts";
import { useParam } from "../../ui/urls/use-param.ts";
import { urlState, useUrlState } from "../../ui/urls/use-url-state.ts";
import { useWords } from "../../words/use-words.ts";
import { ExportsPart } from "./exports-part.tsx";
import { ImportList } from "./import-list.tsx";
import { TABS, TabList } from "./tab-list.tsx";
import { importsQuery, NOTHING_ASKED } from "./use-imports.ts";
import { words } from "./words.ts";

/** Imports of points, tiers and customers, and exports to download. */
export function CsvPage() {
  const t = useWords(words);
  const go = useNavigateTo();
  const { can } = useSession();
  const [asked] = useUrlState(NOTHING_ASKED);
  const shown = useParam("tab") ?? "imports";
  const tab = TABS.find((name) => name === shown);
  if (tab === undefined) return <PageNotFound />;
  const actions = (
    <ListActions path="/csv" file="/imports.csv" filters={asked} defaults={NOTHING_ASKED}>
      {can("imports.run") ? <Button onClick={() => go("/csv/imports/new")}>{t.newImport}</Button> : null}
    </ListActions>
  );
  return (
    <Page title={t.title} action={tab === "imports" ? actions : undefined}>
      <TabList current={tab} />
      {tab === "exports" ? <ExportsPart /> : <ImportList />}
    </Page>
  );
}

CsvPage.prefetchedQueries = ({ search, params }: Address) =>
  params["tab"] === "exports" ? [] : [importsQuery(urlState(NOTHING_ASKED, search))];
