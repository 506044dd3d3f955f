import { NativeSelect, TagsInput, TextInput } from "@mantine/core";
import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import { type EditableField, TAG_LENGTH_MAX, TAGS_MAX } from "../../../src/wire/profile-fields.ts";
import { faultOf } from "../../ui/fault-of.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

export type Profile = Pick<CustomerHead, EditableField>;

interface ProfileFieldsProps {
  draft: Profile;
  set(part: Partial<Profile>): void;
  /** Fields that cannot be changed here. */
  closed: readonly EditableField[];
  /** Of the last request. */
  error: unknown;
  /** What stands before a field's name in a fault's pointer. */
  pointer: string;
}

/** The fields of what is known of a customer. */
export function ProfileFields({ draft, set, closed, error, pointer }: ProfileFieldsProps) {
  const t = useWords(words);
  const common = (field: EditableField) => ({
    label: t.profile[field],
    disabled: closed.includes(field),
    error: faultOf(error, `${pointer}/${field}`),
    ...(closed.includes(field) ? { description: t.ofPlatform } : {}),
  });
  const text = (field: "name" | "email" | "birthday") => ({
    value: draft[field] ?? "",
    onChange: (event: { currentTarget: { value: string } }) => set({ [field]: event.currentTarget.value || null }),
    ...common(field),
  });
  const accepts = draft.accepts_marketing;
  return (
    <>
      <TextInput {...text("name")} autoComplete="off" />
      <TextInput {...text("email")} type="email" autoComplete="off" />
      <TextInput description={t.birthdayHint} {...text("birthday")} autoComplete="off" />
      <NativeSelect
        value={accepts === null ? "" : String(accepts)}
        onChange={({ currentTarget: { value } }) => set({ accepts_marketing: value === "" ? null : value === "true" })}
        {...common("accepts_marketing")}
      >
        <option value="">{t.unknown}</option>
        <option value="true">{t.agreed}</option>
        <option value="false">{t.declined}</option>
      </NativeSelect>
      <TagsInput
        value={draft.tags}
        onChange={(tags) => set({ tags: tags.map((tag) => tag.slice(0, TAG_LENGTH_MAX)) })}
        maxTags={TAGS_MAX}
        {...common("tags")}
      />
    </>
  );
}
