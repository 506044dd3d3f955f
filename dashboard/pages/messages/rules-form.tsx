import { Button, Group, NumberInput, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ShownMessages } from "../../../src/admin/messages/schema.ts";
import { MESSAGE_HOURLY } from "../../../src/wire/messages.ts";
import { faultOf } from "../../ui/fault-of.ts";
import { LanguageField } from "../../ui/language-field.tsx";
import { useWords } from "../../words/use-words.ts";
import { useSaveRules } from "./use-messages.ts";
import { words } from "./words.ts";

/** What holds for every message. */
export function RulesForm({ shown }: { shown: ShownMessages }) {
  const t = useWords(words);
  const { language, send_hour, hourly_max } = shown;
  const [draft, setDraft] = useState({ language, send_hour, hourly_max });
  const save = useSaveRules();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(draft);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={20} maw={640}>
        <LanguageField
          label={t.language}
          value={draft.language}
          onChange={(language) => setDraft({ ...draft, language })}
        />
        <NumberInput
          label={t.hour}
          value={draft.send_hour}
          onChange={(value) => setDraft({ ...draft, send_hour: Number(value) })}
          min={0}
          max={23}
          suffix=":00"
          allowDecimal={false}
          error={faultOf(save.error, "/send_hour")}
        />
        <NumberInput
          label={t.hourly}
          description={t.hourlyHint}
          value={draft.hourly_max}
          onChange={(value) => setDraft({ ...draft, hourly_max: Number(value) })}
          {...MESSAGE_HOURLY}
          thousandSeparator=","
          allowDecimal={false}
          error={faultOf(save.error, "/hourly_max")}
        />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
