import { Skeleton } from "@mantine/core";
import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import { actionText } from "./action-words.ts";
import { ActorName } from "./actor-name.tsx";
import { ChangeTable } from "./change-table.tsx";
import { SubjectName } from "./subject-name.tsx";
import { useAuditEntry } from "./use-audit.ts";
import { words } from "./words.ts";

/** One entry: who, when, from where, and each field before and after. */
export function EntryPanel({ id, closeTo }: { id: string; closeTo: string }) {
  const t = useWords(words);
  const { language } = useLanguage();
  const entry = useAuditEntry(id);
  const title = entry.data === undefined ? t.entry(id) : actionText(entry.data.action, language);
  return (
    <SidePanel title={title} closeTo={closeTo}>
      {entry.error === null ? null : <ErrorState error={entry.error} onRetry={entry.refetch} />}
      {entry.data === undefined ? (
        entry.isLoading ? (
          <Skeleton height={240} />
        ) : null
      ) : (
        <EntryFacts entry={entry.data} />
      )}
    </SidePanel>
  );
}

function EntryFacts({ entry }: { entry: AuditEntry }) {
  const t = useWords(words);
  const format = useFormat();
  return (
    <>
      <Facts
        items={[
          [t.when, format.exact(entry.at)],
          [t.who, <ActorName key="who" entry={entry} />],
          [t.address, entry.address === null ? t.thisMachine : <CopyId key="address" value={entry.address} />],
          [t.what, <code key="what">{entry.action}</code>],
          [t.subject, <SubjectName key="subject" subject={entry.subject} />],
          ["ID", <CopyId key="id" value={entry.subject.id} />],
          [t.recorded, format.exact(entry.recorded_at)],
        ]}
      />
      <Section title={t.change}>
        <ChangeTable entry={entry} />
      </Section>
    </>
  );
}
