import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { LanguageField } from "../../ui/forms/language-field.tsx";
import { PageForm } from "../../ui/forms/page-form.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { useAccount } from "./use-account.ts";
import { words } from "./words.ts";

/** Name and language; only an owner changes the e-mail and the role. */
export function ProfileForm() {
  const t = useWords(words);
  const { staff } = useSession();
  const { language } = useLanguage();
  const [name, setName] = useState(staff.name);
  const [chosen, setChosen] = useState(staff.language ?? language);
  const save = useAccount("PUT", "/account", () => notifyDone(t.saved));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ name, language: chosen });
  };
  return (
    <Section title={t.profile}>
      <Facts
        items={[
          [t.email, staff.email],
          [t.role, t.roles[staff.role]],
        ]}
      />
      <PageForm className={classes["form"]} onSubmit={submit}>
        <TextInput
          label={t.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={faultOf(save.error, "/name")}
          autoComplete="name"
          required
        />
        <LanguageField label={t.language} value={chosen} onChange={setChosen} />
        <Button type="submit" loading={save.isPending}>
          {t.save}
        </Button>
      </PageForm>
    </Section>
  );
}
