import { Button, Checkbox, Group, NativeSelect, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { CustomerHead, CustomerTier, TierBody } from "../../../src/admin/customers/schema.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { CancelButton } from "../../ui/layout/cancel-button.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useNavigateWhileShown } from "../../ui/urls/use-navigate-while-shown.ts";
import { useWords } from "../../words/use-words.ts";
import { ledgerWords } from "./ledger-words.ts";
import { changedTier, type TierDraft, tierDraftOf } from "./tier-draft.ts";
import { customerPath, useCustomerChange } from "./use-customer.ts";

/** Places the customer in a tier, sets the floor, lets the next check pass. Only changed fields are sent. */
export function TierPanel({ customer, tier }: { customer: CustomerHead; tier: CustomerTier }) {
  const t = useWords(ledgerWords);
  const go = useNavigateWhileShown();
  const closeTo = customerPath(customer.id);
  const close = () => go(closeTo, { keepScroll: true });
  const [seen] = useState(() => tierDraftOf(tier));
  const [draft, setDraft] = useState(seen);
  const change = useCustomerChange<{ tier: string }>(customer.id, (placed) => {
    close();
    notifyDone(t.tierSaved(placed.tier));
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const body = changedTier(
      seen,
      draft,
      tier.tiers.map(({ uid }) => uid),
    );
    if (body === null) return close();
    const request = { method: "PUT", path: "/tier", body } as const; // cast: the method is one of two
    change.mutate(request, {
      onError: (error) => (faultOf(error, "/tier") === null ? notifyFailed(error) : undefined),
    });
  };
  const set = (part: TierBody) => setDraft((before) => ({ ...before, ...part }));
  return (
    <SidePanel title={t.tierTitle} closeTo={closeTo} isForm>
      <form onSubmit={onSubmit}>
        <Stack gap={16}>
          <TierFields {...{ tier, draft, set }} fault={faultOf(change.error, "/tier")} />
          <Group justify="flex-end" gap={8}>
            <CancelButton>{t.cancel}</CancelButton>
            <Button type="submit" loading={change.isPending}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </SidePanel>
  );
}

interface TierFieldsProps {
  tier: CustomerTier;
  draft: TierDraft;
  set(part: TierBody): void;
  fault: string | null;
}

function TierFields({ tier, draft, set, fault }: TierFieldsProps) {
  const t = useWords(ledgerWords);
  const options = tier.tiers.map(({ uid, name }) => (
    <option key={uid} value={uid}>
      {name}
    </option>
  ));
  return (
    <>
      <NativeSelect
        label={t.tier}
        value={draft.tier}
        onChange={(event) => set({ tier: event.currentTarget.value })}
        error={fault}
        data-autofocus
      >
        {options}
      </NativeSelect>
      <NativeSelect
        label={t.floor}
        description={t.floorHint}
        value={draft.minimum_tier ?? ""}
        onChange={(event) => set({ minimum_tier: event.currentTarget.value || null })}
      >
        <option value="">{t.noFloor}</option>
        {options}
      </NativeSelect>
      <Checkbox
        label={t.skip}
        checked={draft.skip_next_check}
        onChange={(event) => set({ skip_next_check: event.currentTarget.checked })}
      />
    </>
  );
}
