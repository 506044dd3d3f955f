import { Button, Group, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ProfileBody } from "../../../src/admin/customers/profile-schema.ts";
import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import { EDITABLE_FIELDS, type EditableField } from "../../../src/wire/profile-fields.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { type Profile, ProfileFields } from "../../ui/forms/profile-fields.tsx";
import { CancelButton } from "../../ui/layout/cancel-button.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useNavigateWhileShown } from "../../ui/urls/use-navigate-while-shown.ts";
import { useWords } from "../../words/use-words.ts";
import { customerPath, useCustomerChange } from "./use-customer.ts";
import { words } from "./words.ts";

/** Changes the customer's profile. Only changed fields are sent, with their earlier values. */
export function EditPanel({ customer }: { customer: CustomerHead }) {
  const t = useWords(words);
  const go = useNavigateWhileShown();
  const closeTo = customerPath(customer.id);
  const [seen] = useState<Profile>(() => profileOf(customer));
  const [draft, setDraft] = useState(seen);
  const change = useCustomerChange<{ id: string }>(customer.id, () => {
    go(closeTo, { keepScroll: true });
    notifyDone(t.edited);
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const changed = EDITABLE_FIELDS.filter((field) => JSON.stringify(draft[field]) !== JSON.stringify(seen[field]));
    const body: ProfileBody = { changes: pick(draft, changed), seen: pick(seen, changed) };
    const isShown = (error: unknown) => EDITABLE_FIELDS.some((field) => faultOf(error, `/changes/${field}`) !== null);
    change.mutate(
      { method: "PUT", path: "/profile", body },
      { onError: (error) => (isShown(error) ? undefined : notifyFailed(error)) },
    );
  };
  const isClosed = customer.platform_fields.length === EDITABLE_FIELDS.length;
  return (
    <SidePanel title={t.editTitle} closeTo={closeTo} isForm>
      <form onSubmit={onSubmit} noValidate>
        <Stack gap={16}>
          <Text c="dimmed" size="sm">
            {isClosed ? t.allOfPlatform : t.editHint}
          </Text>
          <ProfileFields
            {...{ draft, closed: customer.platform_fields, error: change.error, pointer: "/changes" }}
            set={(part) => setDraft((before) => ({ ...before, ...part }))}
          />
          <Group justify="flex-end" gap={8}>
            <CancelButton>{t.cancel}</CancelButton>
            <Button type="submit" loading={change.isPending} disabled={isClosed}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </SidePanel>
  );
}

function profileOf({ name, name_reading, email, birthday, accepts_marketing, tags }: CustomerHead): Profile {
  return { name, name_reading, email, birthday, accepts_marketing, tags };
}

function pick(profile: Profile, fields: readonly EditableField[]): Partial<Profile> {
  return Object.fromEntries(fields.map((field) => [field, profile[field]]));
}
