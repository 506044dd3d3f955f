import { Alert, Button, Checkbox, Group, Stack, Switch, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { AlertsInput, ShownAlerts } from "../../../src/admin/alerts/schema.ts";
import { ALERT_KINDS } from "../../../src/wire/alerts.ts";
import type { Language } from "../../../src/wire/language.ts";
import { AddressesField, addressesOf } from "../../ui/forms/addresses-field.tsx";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { IntegerField } from "../../ui/forms/integer-field.tsx";
import { LanguageField } from "../../ui/forms/language-field.tsx";
import { PageForm } from "../../ui/forms/page-form.tsx";
import { ShowStored } from "../../ui/states/show-stored.tsx";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import { useChangeAlerts } from "./use-alerts.ts";
import { words } from "./words.ts";

type Draft = Omit<AlertsInput, "addresses" | "webhook_url"> & { addresses: string; url: string; removes: boolean };

/** The stored settings in the form; if nobody is notified yet, the language of mails defaults to the page's. */
function draftOf(shown: ShownAlerts, pageLanguage: Language): Draft {
  const { is_on, kinds, addresses, grant_percent } = shown;
  const isUnused = !is_on && addresses.length === 0 && shown.webhook_host === null;
  const language = isUnused ? pageLanguage : shown.language;
  return { is_on, kinds, addresses: addresses.join("\n"), language, grant_percent, url: "", removes: false };
}

function inputOf({ addresses, url, removes, ...rest }: Draft): AlertsInput {
  const given = removes ? { webhook_url: null } : url.trim() === "" ? {} : { webhook_url: url.trim() };
  return { ...rest, addresses: addressesOf(addresses), ...given };
}

/** The conditions of which people are notified, and where. */
export function SettingsForm({ alerts }: { alerts: ShownAlerts }) {
  const t = useWords(words);
  const { language: pageLanguage } = useLanguage();
  const [draft, setDraft] = useState(() => draftOf(alerts, pageLanguage));
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const [revision, setRevision] = useState(alerts.revision);
  const save = useChangeAlerts((next) => {
    setRevision(next);
    set({ url: "", removes: false });
  });
  const showStored = () => {
    setDraft(draftOf(alerts, pageLanguage));
    setRevision(alerts.revision);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ ...inputOf(draft), revision });
  };
  return (
    <PageForm onSubmit={submit}>
      <Stack gap={20} maw={640}>
        <Switch
          label={t.isOn}
          description={t.isOnHint}
          checked={draft.is_on}
          onChange={(event) => set({ is_on: event.currentTarget.checked })}
          error={faultOf(save.error, "/is_on")}
        />
        {alerts.has_mail ? null : <Alert color="yellow">{t.noMail}</Alert>}
        <AddressesField
          label={t.addresses}
          description={t.addressesHint}
          value={draft.addresses}
          onChange={(addresses) => set({ addresses })}
          error={faultOf(save.error, "/addresses")}
        />
        <WebhookField alerts={alerts} draft={draft} onChange={set} fault={faultOf(save.error, "/webhook_url")} />
        <KindsField draft={draft} onChange={set} fault={faultOf(save.error, "/grant_percent")} />
        <LanguageField label={t.language} value={draft.language} onChange={(language) => set({ language })} />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t.save}
          </Button>
          <ShowStored error={save.error} isRead={alerts.revision !== revision} onShow={showStored} />
        </Group>
      </Stack>
    </PageForm>
  );
}

interface FieldProps {
  draft: Draft;
  onChange(change: Partial<Draft>): void;
  fault: string | null;
}

function WebhookField({ alerts, draft, onChange, fault }: FieldProps & { alerts: ShownAlerts }) {
  const t = useWords(words);
  const { webhook_host: host, webhook_error: error } = alerts;
  return (
    <Stack gap={8}>
      <TextInput
        label={t.webhook}
        description={host === null ? t.webhookHint : t.webhookSet(host)}
        value={draft.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
        error={fault}
        disabled={draft.removes}
        maxLength={2_048}
        autoComplete="off"
      />
      {host === null ? null : (
        <Checkbox
          label={t.webhookRemove}
          checked={draft.removes}
          onChange={(event) => onChange({ removes: event.currentTarget.checked })}
        />
      )}
      {host === null || error === null ? null : <Alert color="red">{t.webhookFails(error)}</Alert>}
    </Stack>
  );
}

function KindsField({ draft, onChange, fault }: FieldProps) {
  const t = useWords(words);
  return (
    <Stack gap={12}>
      <Checkbox.Group
        label={t.kinds}
        value={[...draft.kinds]}
        onChange={(chosen) => onChange({ kinds: ALERT_KINDS.filter((kind) => chosen.includes(kind)) })}
      >
        <Stack gap={8} mt={8}>
          {ALERT_KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={t.kindNames[kind]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <IntegerField
        label={t.share}
        description={t.shareHint}
        value={draft.grant_percent}
        onChange={(value) => value !== null && onChange({ grant_percent: value })}
        error={fault}
        unit="%"
        isDisabled={!draft.kinds.includes("grant_unusual")}
      />
    </Stack>
  );
}
