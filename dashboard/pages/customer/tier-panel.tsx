import { Button, Checkbox, Group, NativeSelect, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { CustomerHead, CustomerTier, TierBody } from "../../../src/admin/customers/schema.ts";
import { faultOf } from "../../ui/fault-of.ts";
import { notifyDone } from "../../ui/notify-done.tsx";
import { notifyFailed } from "../../ui/notify-failed.tsx";
import { SidePanel } from "../../ui/side-panel.tsx";
import { useNavigateTo } from "../../ui/use-navigate-to.ts";
import { useWords } from "../../words/use-words.ts";
import { ledgerWords } from "./ledger-words.ts";
import { customerPath, useCustomerChange } from "./use-customer.ts";

/** Places the customer in a tier, sets the floor, lets the next check pass. */
export function TierPanel({ customer, tier }: { customer: CustomerHead; tier: CustomerTier }) {
  const t = useWords(ledgerWords);
  const go = useNavigateTo();
  const closeTo = customerPath(customer.id);
  const [draft, setDraft] = useState<Required<TierBody>>({
    tier: tier.uid,
    minimum_tier: tier.minimum_tier_uid,
    skip_next_check: tier.skip_next_check,
  });
  const change = useCustomerChange<{ tier: string }>(customer.id, (placed) => {
    go(closeTo, { keepScroll: true });
    notifyDone(t.tierSaved(placed.tier));
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const body = { method: "PUT", path: "/tier", body: draft } as const; // cast: the method is one of two
    change.mutate(body, {
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
            <Button variant="default" onClick={() => go(closeTo, { keepScroll: true })}>
              {t.cancel}
            </Button>
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
  draft: Required<TierBody>;
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
