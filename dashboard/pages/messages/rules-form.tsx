import { Button, Group, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ShownMessages } from "../../../src/admin/messages/schema.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { IntegerField } from "../../ui/forms/integer-field.tsx";
import { LanguageField } from "../../ui/forms/language-field.tsx";
import { PageForm } from "../../ui/forms/page-form.tsx";
import { ShowStored } from "../../ui/states/show-stored.tsx";
import { useWords } from "../../words/use-words.ts";
import { useSaveRules } from "./use-messages.ts";
import { words } from "./words.ts";

/** The settings of all messages. */
export function RulesForm({ shown }: { shown: ShownMessages }) {
  const t = useWords(words);
  const { language, send_hour, hourly_max } = shown;
  const [draft, setDraft] = useState({ language, send_hour, hourly_max });
  const [revision, setRevision] = useState(shown.revision);
  const save = useSaveRules(setRevision);
  const showStored = () => {
    setDraft({ language, send_hour, hourly_max });
    setRevision(shown.revision);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ ...draft, revision });
  };
  return (
    <PageForm keptAt={/\/messages(\/|$)/} onSubmit={submit}>
      <Stack gap={20} maw={640}>
        <LanguageField
          label={t.language}
          value={draft.language}
          onChange={(language) => setDraft({ ...draft, language })}
        />
        <IntegerField
          label={t.hour}
          value={draft.send_hour}
          onChange={(value) => value !== null && setDraft({ ...draft, send_hour: value })}
          unit=":00"
          error={faultOf(save.error, "/send_hour")}
        />
        <IntegerField
          label={t.hourly}
          description={t.hourlyHint}
          value={draft.hourly_max}
          onChange={(value) => value !== null && setDraft({ ...draft, hourly_max: value })}
          error={faultOf(save.error, "/hourly_max")}
        />
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
