import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft/draft-context.ts";
import { words } from "./words.ts";
import { toInstant, toLocal } from "./zone-time.ts";

interface TimeFieldProps {
  label: string;
  value: string | null;
  onChange(value: string | null): void;
  fault?: string | null;
  /** The meaning of an empty field, if it may be empty. */
  emptyMeans?: string;
}

/** A time in the store's zone, to the minute. */
export function TimeField({ label, value, onChange, fault, emptyMeans }: TimeFieldProps) {
  const t = useWords(words);
  const { document, isEditable } = useDraft();
  const zone = document.store.time_zone;
  const [typed, setTyped] = useState<string | null>(null);
  const isUnreadable = typed === "" && emptyMeans === undefined;
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={emptyMeans}
      value={typed ?? (value === null ? "" : toLocal(value, zone))}
      error={isUnreadable ? t.noTime : fault}
      disabled={!isEditable}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        if (text === "" && emptyMeans !== undefined) onChange(null);
        const at = toInstant(text, zone);
        if (at !== null) onChange(at);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
