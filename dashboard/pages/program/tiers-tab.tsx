import { ActionIcon, Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { TierMembers } from "../../../src/admin/program/schema.ts";
import { apiGet } from "../../api/client.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { Help } from "../../ui/forms/help.tsx";
import { CloseIcon, PlusIcon } from "../../ui/layout/icons.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { newTier, type TierRule, withDefault, withTiers } from "./document.ts";
import { useDraft } from "./draft/draft-context.ts";
import { MoneyField } from "./number-fields.tsx";
import classes from "./program.module.css";
import { RateFields } from "./rate-fields.tsx";
import { SettingField } from "./setting-field.tsx";
import { settingsOf } from "./settings.ts";
import { words } from "./words.ts";

const UID_BYTES = 16;

/** The tiers, beginning with the default one, and when customers are checked. */
export function TiersTab() {
  const t = useWords(words);
  const { document, base, isEditable, change, program } = useDraft();
  const format = useFormat();
  const { rules } = document.tiers;
  const members = useTierMembers();
  const add = () => {
    const rule = newTier(rules, freeName(rules, t.newTierName), crypto.getRandomValues(new Uint8Array(UID_BYTES)));
    change(withTiers(document, [...rules, rule]));
  };
  const action = isEditable ? (
    <Button variant="default" leftSection={<PlusIcon />} onClick={add}>
      {t.addTier}
    </Button>
  ) : null;
  const ranked = rules
    .map((rule, index) => ({ rule, index }))
    .toSorted((a, b) => compareRanks(rankOf(a.rule, base.tiers.rules), rankOf(b.rule, base.tiers.rules)));
  return (
    <>
      <Section title={t.tierRules} action={action}>
        <p className={classes["hint"]}>
          {t.tierRulesHint} <Help example="tiers.rules" of={t.tierRules} term="tier" />
        </p>
        <ol className={classes["list"]}>
          {ranked.map(({ rule, index }) => (
            <TierEntry
              key={rule.uid}
              rule={rule}
              index={index}
              customers={members === null ? null : members?.get(rule.uid)}
            />
          ))}
        </ol>
        {isEditable ? <p className={classes["hint"]}>{t.removedTierHint}</p> : null}
      </Section>
      <Section title={t.checks}>
        <p className={classes["hint"]}>
          {t.nextCheck}: {format.minute(program.next_check_at)}
        </p>
        <div className={classes["fields"]}>
          {settingsOf("tiers").map((field) => (
            <SettingField key={field} field={field} />
          ))}
        </div>
      </Section>
    </>
  );
}

function TierEntry({
  rule,
  index,
  customers,
}: {
  rule: TierRule;
  index: number;
  customers: number | null | undefined;
}) {
  const t = useWords(words);
  const { document, base, isEditable, change, refusal } = useDraft();
  const { rules } = document.tiers;
  const isOld = base.tiers.rules.some(({ uid }) => uid === rule.uid);
  const set = (next: TierRule) => change(withTiers(document, rules.with(index, next)));
  const pointer = `/tiers/rules/${index}`;
  return (
    <li className={classes["entry"]}>
      <div className={classes["entryHead"]}>
        <strong>{rule.name}</strong>
        <span className={classes["hint"]}>
          {rule.default ? `${t.beginsHere} · ` : ""}
          {t.members}: <MemberCount count={isOld ? customers : 0} />
        </span>
        {isEditable && !rule.default ? <TierActions rule={rule} index={index} /> : null}
      </div>
      <div className={classes["entryFields"]}>
        <TextInput
          label={t.tierName}
          value={rule.name}
          disabled={!isEditable}
          error={faultOf(refusal, `${pointer}/name`)}
          onChange={(event) => set({ ...rule, name: event.currentTarget.value })}
        />
        <div>
          <MoneyField
            label={t.requirement}
            value={rule.currency_spent_requirement}
            isDisabled={!isEditable || rule.default}
            fault={faultOf(refusal, `${pointer}/currency_spent_requirement`)}
            onChange={(value) => set({ ...rule, currency_spent_requirement: value ?? 0 })}
          />
          <span className={classes["meaning"]}>
            <Help example="tiers.requirement" of={t.helpOf(t.requirement, rule.name)} term="check" />
          </span>
        </div>
        <RateFields
          rate={rule}
          onChange={set}
          pointer={pointer}
          canBeUsual
          help={{ example: "tiers.rate", of: t.helpOf(t.pointsLabel, rule.name), term: "rate" }}
        />
      </div>
    </li>
  );
}

function TierActions({ rule, index }: { rule: TierRule; index: number }) {
  const t = useWords(words);
  const { document, change } = useDraft();
  const { rules } = document.tiers;
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={t.makeDefaultOf(rule.name)}
        onClick={() => change(withTiers(document, withDefault(rules, index)))}
      >
        {t.makeDefault}
      </Button>
      <ActionIcon
        aria-label={t.remove(rule.name)}
        title={t.remove(rule.name)}
        onClick={() => change(withTiers(document, rules.toSpliced(index, 1)))}
      >
        <CloseIcon />
      </ActionIcon>
    </>
  );
}

function MemberCount({ count }: { count: number | null | undefined }) {
  const t = useWords(words);
  const { format } = useDraft();
  if (count === null) return t.notCounted;
  return count === undefined ? "…" : format.number(count);
}

/** By tier; null: the service stopped counting; undefined: it is still counting. */
function useTierMembers(): ReadonlyMap<string, number> | null | undefined {
  const { data, error } = useQuery({
    queryKey: ["program", "tier-members"],
    queryFn: ({ signal }) => apiGet<TierMembers>("/program/tier-members", {}, signal),
    retry: false,
  });
  if (error !== null) return null;
  return data && new Map(data.data.map(({ uid, customers }) => [uid, customers]));
}

/** Sorts by the valid version's requirements, so that no entry jumps while a requirement is typed; new tiers come last. */
function rankOf(rule: TierRule, valid: readonly TierRule[]): number {
  return valid.find(({ uid }) => uid === rule.uid)?.currency_spent_requirement ?? Number.POSITIVE_INFINITY;
}

function compareRanks(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function freeName(rules: readonly TierRule[], name: string): string {
  const taken = new Set(rules.map((rule) => rule.name));
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name} ${n}`;
    if (!taken.has(free)) return free;
  }
}
