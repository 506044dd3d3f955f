import type { ImportDetail } from "../../../src/admin/csv/schema.ts";
import { useSession } from "../../api/session.ts";
import { Page } from "../../ui/layout/page.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { useParam } from "../../ui/urls/use-param.ts";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { useWords } from "../../words/use-words.ts";
import { FaultsPart } from "./faults-part.tsx";
import { ImportActions } from "./import-actions.tsx";
import { ImportHistory } from "./import-history.tsx";
import { ImportSettings } from "./import-settings.tsx";
import { ImportState } from "./import-state.tsx";
import { ImportSummary } from "./import-summary.tsx";
import { NewImportPage } from "./new-import-page.tsx";
import { isWorking, useImport } from "./use-imports.ts";
import { words } from "./words.ts";
import { WorkProgress } from "./work-progress.tsx";

/** One import, from its upload to its undoing. At `new` the next one is uploaded. */
export function ImportPage() {
  const uid = useParam("uid") ?? "";
  const { can } = useSession();
  if (uid === "new" && !can("imports.run")) return <NoRight />;
  return uid === "new" ? <NewImportPage /> : <Shown key={uid} uid={uid} />;
}

function NoRight() {
  const t = useWords(words);
  return (
    <Page title={t.newImport} back={{ to: "/csv", label: t.title }}>
      <EmptyState title={t.noRight} />
    </Page>
  );
}

function Shown({ uid }: { uid: string }) {
  const t = useWords(words);
  const { data, error, refetch } = useImport(uid);
  const back = { to: "/csv", label: t.title };
  if (data === undefined) {
    return (
      <Page title={t.imports} back={back}>
        {error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  return (
    <Page
      title={data.file_name}
      back={back}
      subtitle={
        <>
          <ImportState state={data.state} /> {t.kinds[data.kind]}
        </>
      }
      action={<ImportActions file={data} />}
    >
      <Parts file={data} />
    </Page>
  );
}

function Parts({ file }: { file: ImportDetail }) {
  const { can } = useSession();
  const mayRun = can("imports.run");
  const [{ settings }] = useUrlState({ settings: "" });
  const isSettable =
    file.state === "uploaded" || (file.state === "checked" && settings !== "" && file.waiting === null);
  const hasResult = file.check !== null && file.state !== "uploaded" && file.state !== "checking";
  return (
    <>
      <WorkProgress file={file} />
      {isSettable && mayRun ? <ImportSettings key={file.error?.code} file={file} /> : null}
      {hasResult ? <ImportSummary file={file} /> : null}
      {hasResult && mayRun && !isWorking(file) ? <FaultsPart file={file} /> : null}
      <ImportHistory file={file} />
    </>
  );
}
