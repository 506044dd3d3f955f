import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import type { EditableField } from "../../../src/wire/profile-fields.ts";
import { useWords } from "../../words/use-words.ts";
import { BirthdayField } from "./birthday-field.tsx";
import { faultOf } from "./fault-of.ts";
import { profileWords } from "./profile-words.ts";

export type Profile = Pick<CustomerHead, EditableField>;

interface ProfileFieldsProps {
  draft: Profile;
  set(part: Partial<Profile>): void;
  /** Fields that cannot be changed here. */
  closed: readonly EditableField[];
  /** The error of the last request. */
  error: unknown;
  /** The prefix of a field's name in a fault's pointer. */
  pointer: string;
}

/** The fields of a customer's profile. */
export function ProfileFields({ draft, set, closed, error, pointer }: ProfileFieldsProps) {
  const t = useWords(profileWords);
  const [tags, setTags] = useState(() => draft.tags.join("\n"));
  const common = (field: EditableField) => ({
    label: t.profile[field],
    disabled: closed.includes(field),
    error: faultOf(error, `${pointer}/${field}`),
    ...(closed.includes(field) ? { description: t.ofPlatform } : {}),
  });
  const text = (field: "name" | "name_reading" | "email") => ({
    value: draft[field] ?? "",
    onChange: (event: { currentTarget: { value: string } }) => set({ [field]: event.currentTarget.value || null }),
    ...common(field),
  });
  const accepts = draft.accepts_marketing;
  return (
    <>
      <TextInput {...text("name")} autoComplete="off" />
      <TextInput description={t.readingHint} {...text("name_reading")} autoComplete="off" />
      <TextInput {...text("email")} type="email" autoComplete="off" />
      <BirthdayField
        value={draft.birthday}
        onChange={(birthday) => set({ birthday })}
        isClosed={closed.includes("birthday")}
        isFaulty={faultOf(error, `${pointer}/birthday`) !== null}
      />
      <NativeSelect
        value={accepts === null ? "" : String(accepts)}
        onChange={({ currentTarget: { value } }) => set({ accepts_marketing: value === "" ? null : value === "true" })}
        {...common("accepts_marketing")}
      >
        <option value="">{t.unknown}</option>
        <option value="true">{t.agreed}</option>
        <option value="false">{t.declined}</option>
      </NativeSelect>
      <Textarea
        value={tags}
        onChange={({ currentTarget: { value } }) => {
          setTags(value);
          set({ tags: value.split("\n").flatMap((tag) => tag.trim() || []) });
        }}
        autosize
        minRows={2}
        maxRows={8}
        description={t.tagsHint}
        {...common("tags")}
      />
    </>
  );
}
