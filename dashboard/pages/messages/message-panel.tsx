import { Button, Group, Paper, SegmentedControl, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { MessageInput, ShownMessage } from "../../../src/admin/messages/schema.ts";
import type { Language } from "../../../src/wire/language.ts";
import { MESSAGE_SUBJECT_MAX, MESSAGE_TEXT_MAX, PLACEHOLDERS } from "../../../src/wire/messages.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { FormFault } from "../../ui/forms/form-fault.tsx";
import { IntegerField } from "../../ui/forms/integer-field.tsx";
import { LANGUAGE_NAMES, languageOf } from "../../ui/forms/language-field.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { ShowStored } from "../../ui/states/show-stored.tsx";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import { usePreview, useSaveMessage, useTestMessage } from "./use-messages.ts";
import { words } from "./words.ts";

/** The settings and texts of one message. */
export function MessagePanel({ message, closeTo }: { message: ShownMessage; closeTo: string }) {
  const t = useWords(words);
  const { kind } = message;
  const { language: shown } = useLanguage();
  const [language, setLanguage] = useState<Language>(shown);
  const [draft, setDraft] = useState(() => draftOf(message));
  const [revision, setRevision] = useState(message.revision);
  const save = useSaveMessage(kind, setRevision);
  const text = draft.texts[language];
  const setText = (change: Partial<typeof text>) =>
    setDraft((before) => ({
      ...before,
      texts: { ...before.texts, [language]: { ...before.texts[language], ...change } },
    }));
  const showStored = () => {
    setDraft(draftOf(message));
    setRevision(message.revision);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ ...draft, revision });
  };
  const isSubjectFault = (place: Language) => faultOf(save.error, `/texts/${place}/subject`);
  return (
    <SidePanel title={t.kinds[kind]} closeTo={closeTo} isForm isChanged={isChanged(draft, message)}>
      <form onSubmit={submit}>
        <Stack gap={16}>
          <Switch
            label={t.isOn}
            description={t.isOnHint}
            checked={draft.is_on}
            onChange={(event) => setDraft({ ...draft, is_on: event.currentTarget.checked })}
            error={faultOf(save.error, "/is_on")}
          />
          {kind === "expiry_reminder" ? (
            <IntegerField
              label={t.days}
              description={t.daysHint}
              value={draft.days_before}
              onChange={(value) => value !== null && setDraft({ ...draft, days_before: value })}
              error={faultOf(save.error, "/days_before")}
            />
          ) : null}
          <SegmentedControl
            aria-label={t.textIn}
            data={LANGUAGE_NAMES}
            value={language}
            onChange={(value) => setLanguage(languageOf(value))}
          />
          <TextInput
            label={t.subject}
            value={text.subject}
            onChange={(event) => setText({ subject: event.currentTarget.value })}
            maxLength={MESSAGE_SUBJECT_MAX}
            error={isSubjectFault(language)}
          />
          <Textarea
            label={t.text}
            description={t.placeholders(PLACEHOLDERS[kind].map((name) => `{${name}}`).join(" "))}
            value={text.text}
            onChange={(event) => setText({ text: event.currentTarget.value })}
            maxLength={MESSAGE_TEXT_MAX}
            autosize
            minRows={8}
            maxRows={20}
            error={faultOf(save.error, `/texts/${language}/text`)}
          />
          <OtherFaults error={save.error} language={language} />
          <Text size="sm" c="dimmed">
            {t.footer}
          </Text>
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t.save}
            </Button>
            <ShowStored error={save.error} isRead={message.revision !== revision} onShow={showStored} />
            <Button variant="default" onClick={() => setText(message.built_in[language])}>
              {t.useBuiltIn}
            </Button>
          </Group>
        </Stack>
      </form>
      <Preview message={message} language={language} text={text} />
    </SidePanel>
  );
}

type Draft = MessageInput & { readonly texts: Record<Language, { subject: string; text: string }> };

function draftOf(message: ShownMessage): Draft {
  const { is_on, days_before } = message;
  return { is_on, days_before, texts: { en: textOf(message, "en"), ja: textOf(message, "ja") } };
}

function isChanged(draft: Draft, message: ShownMessage): boolean {
  return JSON.stringify(draftOf(message)) !== JSON.stringify(draft);
}

function textOf({ texts }: ShownMessage, language: Language) {
  const { subject, text } = texts[language];
  return { subject, text };
}

/** The faults in the text of the language that is not shown. */
function OtherFaults({ error, language }: { error: unknown; language: Language }) {
  const other = language === "en" ? "ja" : "en";
  const fault = faultOf(error, `/texts/${other}/subject`) ?? faultOf(error, `/texts/${other}/text`);
  if (fault === null) return null;
  const name = LANGUAGE_NAMES.find(({ value }) => value === other)?.label;
  return (
    <Text size="sm" c="red">
      {name}: {fault}
    </Text>
  );
}

interface PreviewProps {
  message: ShownMessage;
  language: Language;
  text: { subject: string; text: string };
}

function Preview({ message: { kind }, language, text }: PreviewProps) {
  const t = useWords(words);
  const [customer, setCustomer] = useState("");
  const preview = usePreview(kind);
  const test = useTestMessage(kind);
  const input = { language, ...text, customer_id: customer.trim() === "" ? null : customer.trim() };
  const faultIn = (error: unknown) => {
    const [ofSubject, ofText] = [faultOf(error, "/subject"), faultOf(error, "/text")];
    if (ofSubject !== null) return `${t.subject}: ${ofSubject}`;
    return ofText === null ? null : `${t.text}: ${ofText}`;
  };
  const fault = faultIn(preview.error) ?? faultIn(test.error);
  const show = () => {
    test.reset();
    preview.mutate(input);
  };
  const send = () => {
    if (preview.isError) preview.reset(); // what is shown stays
    test.mutate(input);
  };
  const shown = preview.data?.data;
  return (
    <Section title={t.preview}>
      <Stack gap={16}>
        <TextInput
          label={t.customer}
          description={t.customerHint}
          value={customer}
          onChange={(event) => setCustomer(event.currentTarget.value)}
          error={faultOf(preview.error, "/customer_id") ?? faultOf(test.error, "/customer_id")}
          maxLength={320}
        />
        <Group>
          <Button variant="default" onClick={show} loading={preview.isPending}>
            {t.show}
          </Button>
          <Button variant="default" onClick={send} loading={test.isPending}>
            {t.test}
          </Button>
        </Group>
        {fault === null ? null : <FormFault>{fault}</FormFault>}
        {shown === undefined ? null : (
          <Paper withBorder p={16} role="region" aria-label={t.preview}>
            <Text fw={600}>{shown.subject}</Text>
            <Text mt={12} style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              {shown.text}
            </Text>
            {shown.is_sample ? (
              <Text mt={12} size="sm" c="dimmed">
                {t.sample}
              </Text>
            ) : null}
          </Paper>
        )}
      </Stack>
    </Section>
  );
}
