import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Switch } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ReportsInput, ShownReports } from "../../../src/admin/reports/schema.ts";
import type { Language } from "../../../src/wire/language.ts";
import { REPORT_FREQUENCIES, REPORT_KINDS } from "../../../src/wire/reports.ts";
import { AddressesField, addressesOf } from "../../ui/forms/addresses-field.tsx";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { LanguageField } from "../../ui/forms/language-field.tsx";
import { PageForm } from "../../ui/forms/page-form.tsx";
import { ShowStored } from "../../ui/states/show-stored.tsx";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import { useChangeReports } from "./use-reports.ts";
import { words } from "./words.ts";

type Draft = Omit<ReportsInput, "addresses"> & { addresses: string };

/** The stored settings; if nobody gets a report yet, the language defaults to the page's. */
function draftOf(shown: ShownReports, pageLanguage: Language): Draft {
  const { is_on, kinds, frequency, addresses, to_folder } = shown;
  const isUnused = !is_on && addresses.length === 0;
  const language = isUnused ? pageLanguage : shown.language;
  return { is_on, kinds, frequency, addresses: addresses.join("\n"), to_folder, language };
}

/** Which reports are made, and where they are sent. */
export function SettingsForm({ shown }: { shown: ShownReports }) {
  const t = useWords(words);
  const { language: pageLanguage } = useLanguage();
  const [draft, setDraft] = useState(() => draftOf(shown, pageLanguage));
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const [revision, setRevision] = useState(shown.revision);
  const save = useChangeReports(setRevision);
  const showStored = () => {
    setDraft(draftOf(shown, pageLanguage));
    setRevision(shown.revision);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const addresses = addressesOf(draft.addresses);
    save.mutate({ ...draft, addresses, revision });
  };
  return (
    <PageForm onSubmit={submit}>
      <Stack gap={20} maw={640}>
        <Switch
          label={t.isOn}
          description={t.isOnHint}
          checked={draft.is_on}
          onChange={(event) => set({ is_on: event.currentTarget.checked })}
        />
        <Checkbox.Group
          label={t.kinds}
          value={[...draft.kinds]}
          onChange={(chosen) => set({ kinds: REPORT_KINDS.filter((kind) => chosen.includes(kind)) })}
          error={faultOf(save.error, "/kinds")}
        >
          <Stack gap={8} mt={8}>
            {REPORT_KINDS.map((kind) => (
              <Checkbox key={kind} value={kind} label={t.kindNames[kind]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label={t.frequency}
          description={t.frequencyHint}
          data={REPORT_FREQUENCIES.map((value) => ({ value, label: t.frequencies[value] }))}
          value={draft.frequency}
          onChange={(event) => set({ frequency: event.currentTarget.value === "weekly" ? "weekly" : "monthly" })}
        />
        <Places draft={draft} shown={shown} onChange={set} error={save.error} />
        <LanguageField label={t.language} value={draft.language} onChange={(language) => set({ language })} />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t.save}
          </Button>
          <ShowStored error={save.error} isRead={shown.revision !== revision} onShow={showStored} />
        </Group>
      </Stack>
    </PageForm>
  );
}

interface PlacesProps {
  draft: Draft;
  shown: ShownReports;
  onChange(change: Partial<Draft>): void;
  error: unknown;
}

function Places({ draft, shown, onChange, error }: PlacesProps) {
  const t = useWords(words);
  return (
    <>
      {shown.has_mail ? null : <Alert color="yellow">{t.noMail}</Alert>}
      <AddressesField
        label={t.addresses}
        description={t.addressesHint}
        value={draft.addresses}
        onChange={(addresses) => onChange({ addresses })}
        error={faultOf(error, "/addresses")}
      />
      <Checkbox
        label={t.folder}
        description={shown.has_folder ? t.folderHint : t.noFolder}
        checked={draft.to_folder}
        onChange={(event) => onChange({ to_folder: event.currentTarget.checked })}
        error={faultOf(error, "/to_folder")}
      />
    </>
  );
}
