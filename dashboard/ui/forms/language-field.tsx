import { NativeSelect } from "@mantine/core";
import { LANGUAGES, type Language } from "../../../src/wire/language.ts";

const NAMES: Readonly<Record<Language, string>> = { en: "English", ja: "日本語" };

/** Each language by its own name. */
export const LANGUAGE_NAMES = LANGUAGES.map((value) => ({ value, label: NAMES[value] }));

/** Returns the language for a control's value; English for an unknown one. */
export function languageOf(text: string): Language {
  return LANGUAGES.find((language) => language === text) ?? "en";
}

interface LanguageFieldProps {
  label: string;
  value: Language;
  onChange(language: Language): void;
}

export function LanguageField({ label, value, onChange }: LanguageFieldProps) {
  return (
    <NativeSelect
      label={label}
      data={LANGUAGE_NAMES}
      value={value}
      onChange={(event) => onChange(languageOf(event.currentTarget.value))}
    />
  );
}
