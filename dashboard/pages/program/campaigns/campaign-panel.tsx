import { Button, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { faultOf } from "../../../ui/forms/fault-of.ts";
import { Help } from "../../../ui/forms/help.tsx";
import { SidePanel } from "../../../ui/layout/side-panel.tsx";
import { useNavigateTo } from "../../../ui/urls/use-navigate-to.ts";
import { useWords } from "../../../words/use-words.ts";
import type { Campaign } from "../document.ts";
import { useDraft } from "../draft/draft-context.ts";
import { FactorField } from "../number-fields.tsx";
import classes from "../program.module.css";
import { RateFields, RateText } from "../rate-fields.tsx";
import { TimeField } from "../time-field.tsx";
import { words } from "../words.ts";
import { CampaignForecast } from "./campaign-forecast.tsx";
import { CampaignLosses } from "./campaign-losses.tsx";
import { factorOf, multipliedRates, usualRate } from "./campaign-rates.ts";
import { overlapsOf, phaseOf } from "./campaigns.ts";

/** One campaign: its time and its rates. */
export function CampaignPanel({ index, closeTo }: { index: number; closeTo: string }) {
  const { base, document, isEditable, program } = useDraft();
  const campaign = document.campaigns[index];
  if (campaign === undefined) return null;
  return (
    <SidePanel title={campaign.name} closeTo={closeTo}>
      <CampaignForm campaign={campaign} index={index} />
      <CampaignRates campaign={campaign} index={index} />
      {isEditable && phaseOf(campaign, program.now) !== "over" ? (
        <CampaignForecast base={base} document={document} baseVersion={program.version} index={index} />
      ) : null}
      {isEditable ? <PanelActions index={index} closeTo={closeTo} /> : null}
    </SidePanel>
  );
}

function useSetCampaign(index: number): (campaign: Campaign) => void {
  const { document, change } = useDraft();
  return (campaign) => change({ ...document, campaigns: document.campaigns.with(index, campaign) });
}

function CampaignForm({ campaign, index }: { campaign: Campaign; index: number }) {
  const t = useWords(words);
  const { document, isEditable, refusal } = useDraft();
  const set = useSetCampaign(index);
  const pointer = `/campaigns/${index}`;
  const isBackwards = Date.parse(campaign.ends_at) <= Date.parse(campaign.starts_at);
  const [other] = overlapsOf(document.campaigns, index);
  const rival = other === undefined ? undefined : document.campaigns[other];
  const overlap = rival === undefined ? null : t.overlap(campaign.name, rival.name);
  return (
    <>
      <TextInput
        label={t.campaignName}
        value={campaign.name}
        disabled={!isEditable}
        error={faultOf(refusal, `${pointer}/name`)}
        onChange={(event) => set({ ...campaign, name: event.currentTarget.value })}
      />
      <TimeField
        label={t.starts}
        value={campaign.starts_at}
        fault={overlap ?? faultOf(refusal, `${pointer}/starts_at`)}
        onChange={(at) => at !== null && set({ ...campaign, starts_at: at })}
      />
      <TimeField
        label={t.ends}
        value={campaign.ends_at}
        fault={isBackwards ? t.endBeforeStart : faultOf(refusal, `${pointer}/ends_at`)}
        onChange={(at) => at !== null && set({ ...campaign, ends_at: at })}
      />
      <p className={classes["hint"]}>
        {t.zoneHint(document.store.time_zone)} <Help example="campaign.time" of={t.starts} term="campaign" />
      </p>
    </>
  );
}

/** Each tier's own rate times a factor, which is the meaning of "double points", or entered rates. */
function CampaignRates({ campaign, index }: { campaign: Campaign; index: number }) {
  const t = useWords(words);
  const set = useSetCampaign(index);
  const { document, isEditable } = useDraft();
  const factor = factorOf(document, campaign);
  const [isTyped, setIsTyped] = useState(factor === null);
  const isMultiplied = !isTyped && factor !== null;
  const choose = (kind: string) => {
    setIsTyped(kind === "fixed");
    if (kind === "multiply" && factor === null) set({ ...campaign, ...multipliedRates(document, 2) });
  };
  return (
    <>
      <p className={classes["hint"]}>
        {t.rateKind} <Help example="campaign.rates" of={t.rateKind} term="rate" />
      </p>
      <SegmentedControl
        aria-label={t.rateKind}
        fullWidth
        value={isMultiplied ? "multiply" : "fixed"}
        disabled={!isEditable}
        onChange={choose}
        data={[
          { value: "multiply", label: t.multiply },
          { value: "fixed", label: t.fixedRates },
        ]}
      />
      {isMultiplied ? (
        <Multiplied factor={factor} onChange={(next) => set({ ...campaign, ...multipliedRates(document, next) })} />
      ) : (
        <TypedRates campaign={campaign} index={index} />
      )}
      <CampaignLosses campaigns={[campaign]} document={document} />
    </>
  );
}

function Multiplied({ factor, onChange }: { factor: number; onChange(factor: number): void }) {
  const t = useWords(words);
  const { document } = useDraft();
  const { by_tier } = multipliedRates(document, factor);
  return (
    <fieldset className={classes["group"]}>
      <legend>{t.tierRates}</legend>
      <FactorField label={t.factor} description={t.factorHint} value={factor} onChange={onChange} />
      <ul className={classes["faults"]}>
        {document.tiers.rules.map((rule) => {
          const { point_value, currency_value } = by_tier[rule.uid] ?? usualRate(document, rule);
          return (
            <li key={rule.uid}>
              {rule.name}
              {": "}
              <RateText points={point_value} money={currency_value ?? document.earning.currency_value} />
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}

function TypedRates({ campaign, index }: { campaign: Campaign; index: number }) {
  const t = useWords(words);
  const set = useSetCampaign(index);
  const { document } = useDraft();
  return (
    <>
      <fieldset className={classes["group"]}>
        <legend>{t.campaignRate}</legend>
        <RateFields
          rate={campaign}
          pointer={`/campaigns/${index}`}
          onChange={(next) => set({ ...next, point_value: next.point_value ?? campaign.point_value })}
        />
      </fieldset>
      <fieldset className={classes["group"]}>
        <legend>{t.ratesByTier}</legend>
        {document.tiers.rules.map(({ uid, name }) => (
          <TierRate key={uid} uid={uid} name={name} campaign={campaign} index={index} />
        ))}
      </fieldset>
    </>
  );
}

function TierRate({ uid, name, campaign, index }: { uid: string; name: string; campaign: Campaign; index: number }) {
  const t = useWords(words);
  const { isEditable } = useDraft();
  const set = useSetCampaign(index);
  const { [uid]: own, ...others } = campaign.by_tier;
  const usual = { point_value: campaign.point_value, currency_value: campaign.currency_value };
  return (
    <div className={classes["tierRate"]}>
      <Switch
        label={`${name}: ${t.ownRate}`}
        description={own === undefined ? t.sameAsAll : undefined}
        checked={own !== undefined}
        disabled={!isEditable}
        onChange={(event) =>
          set({ ...campaign, by_tier: event.currentTarget.checked ? { ...others, [uid]: usual } : others })
        }
      />
      {own === undefined ? null : (
        <RateFields
          rate={own}
          of={name}
          pointer={`/campaigns/${index}/by_tier/${uid}`}
          onChange={(next) =>
            set({
              ...campaign,
              by_tier: { ...campaign.by_tier, [uid]: { ...next, point_value: next.point_value ?? 0 } },
            })
          }
        />
      )}
    </div>
  );
}

function PanelActions({ index, closeTo }: { index: number; closeTo: string }) {
  const t = useWords(words);
  const go = useNavigateTo();
  const { document, change } = useDraft();
  const name = document.campaigns[index]?.name ?? "";
  const remove = () => {
    change({ ...document, campaigns: document.campaigns.toSpliced(index, 1) });
    go(closeTo, { keepScroll: true });
  };
  return (
    <div className={classes["actions"]}>
      <Button variant="subtle" color="red" onClick={remove}>
        {t.remove(name)}
      </Button>
      <Button onClick={() => go(closeTo, { keepScroll: true })}>{t.close}</Button>
    </div>
  );
}
