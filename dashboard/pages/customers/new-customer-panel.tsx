import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { EmailHolders, NewCustomerBody } from "../../../src/admin/customers/profile-schema.ts";
import { EDITABLE_FIELDS } from "../../../src/wire/profile-fields.ts";
import { apiGet, apiSend } from "../../api/client.ts";
import { newUid } from "../../api/new-uid.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { type Profile, ProfileFields } from "../../ui/forms/profile-fields.tsx";
import { CancelButton } from "../../ui/layout/cancel-button.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useNavigateWhileShown } from "../../ui/urls/use-navigate-while-shown.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./customers.module.css";
import { words } from "./words.ts";

const UNNAMED = { name: null, name_reading: null, email: null };
const NOTHING: Profile = { ...UNNAMED, birthday: null, accepts_marketing: null, tags: [] };
const PATH = "/customers";
const WAIT_MS = 300;

/** Creates a customer by hand; a customer with the same e-mail is shown before. */
export function NewCustomerPanel({ closeTo }: { closeTo: string }) {
  const t = useWords(words);
  const [requestUid] = useState(newUid);
  const [id, setId] = useState("");
  const [draft, setDraft] = useState(NOTHING);
  const [sharesEmail, setSharesEmail] = useState(false);
  const holders = useHolders(draft.email);
  const create = useCreate();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const body = { request_uid: requestUid, id: id.trim() || null, profile: known(draft), shares_email: sharesEmail };
    create.mutate(body, { onError: (error) => (isAtField(error) ? undefined : notifyFailed(error)) });
  };
  return (
    <SidePanel title={t.newCustomer} closeTo={closeTo} isForm>
      <form onSubmit={onSubmit} noValidate>
        <Stack gap={16}>
          <TextInput
            label={t.newId}
            description={t.newIdHint}
            value={id}
            onChange={({ currentTarget: { value } }) => setId(value)}
            error={faultOf(create.error, "/id")}
            autoComplete="off"
            data-autofocus
          />
          <ProfileFields
            {...{ draft, closed: [], error: create.error, pointer: "/profile" }}
            set={(part) => setDraft((before) => ({ ...before, ...part }))}
          />
          <Holders {...{ holders, hasId: id.trim() !== "", sharesEmail, setSharesEmail }} />
          <Group justify="flex-end" gap={8}>
            <CancelButton>{t.cancel}</CancelButton>
            <Button type="submit" loading={create.isPending}>
              {t.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </SidePanel>
  );
}

function useCreate() {
  const t = useWords(words);
  const go = useNavigateWhileShown();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewCustomerBody) => apiSend<{ data: { id: string } }>("POST", PATH, body),
    onSuccess: async ({ data }) => {
      notifyDone(t.created);
      go(`${PATH}/${encodeURIComponent(data.id)}`);
      await client.invalidateQueries({ queryKey: ["customers"] });
    },
  });
}

/** The customers with an e-mail address, shortly after it was typed. */
function useHolders(email: string | null): EmailHolders {
  const [asked] = useDebouncedValue(email ?? "", WAIT_MS);
  const found = useQuery({
    queryKey: ["customers", "holders", asked],
    queryFn: ({ signal }) => apiGet<{ data: EmailHolders }>("/email-holders", { email: asked }, signal),
    enabled: asked.includes("@"),
  });
  return asked === email ? (found.data?.data ?? []) : [];
}

interface HoldersProps {
  holders: EmailHolders;
  hasId: boolean;
  sharesEmail: boolean;
  setSharesEmail(shares: boolean): void;
}

function Holders({ holders, hasId, sharesEmail, setSharesEmail }: HoldersProps) {
  const t = useWords(words);
  if (holders.length === 0) return null;
  return (
    <div role="status" className={classes["holders"]}>
      <span>{t.holders}</span>
      {holders.map(({ id, name }) => (
        <PageLink key={id} to={`${PATH}/${encodeURIComponent(id)}`} asksToLeave>
          {name ?? id}
        </PageLink>
      ))}
      {hasId ? (
        <Checkbox
          label={t.shareEmail}
          checked={sharesEmail}
          onChange={({ currentTarget: { checked } }) => setSharesEmail(checked)}
        />
      ) : (
        <span>{t.noShareEmail}</span>
      )}
    </div>
  );
}

function isAtField(error: unknown): boolean {
  return ["/id", ...EDITABLE_FIELDS.map((field) => `/profile/${field}`)].some((at) => faultOf(error, at) !== null);
}

/** The entered fields; the others are unknown. */
function known(draft: Profile): NewCustomerBody["profile"] {
  const entered = EDITABLE_FIELDS.filter((field) => (field === "tags" ? draft.tags.length > 0 : draft[field] !== null));
  return Object.fromEntries(entered.map((field) => [field, draft[field]]));
}
