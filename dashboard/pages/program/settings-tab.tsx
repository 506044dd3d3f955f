import { Help } from "../../ui/forms/help.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft/draft-context.ts";
import classes from "./program.module.css";
import { RateFields } from "./rate-fields.tsx";
import { SettingField } from "./setting-field.tsx";
import { settingsOf } from "./settings.ts";
import { words } from "./words.ts";

/** A part of the program that is settings only. */
export function SettingsTab({
  section,
}: {
  section: "store" | "earning" | "expiration" | "refunds" | "coupons" | "rewards" | "staff";
}) {
  const t = useWords(words);
  return (
    <Section title={t.tabs[section]}>
      {section === "earning" ? <BaseRate /> : null}
      <div className={classes["fields"]}>
        {settingsOf(section).map((field) => (
          <SettingField key={field} field={field} />
        ))}
      </div>
      {section === "coupons" ? <PointWorth /> : null}
    </Section>
  );
}

function BaseRate() {
  const t = useWords(words);
  const { document, base, change } = useDraft();
  const { earning } = document;
  const isChanged =
    base.earning.point_value !== earning.point_value || base.earning.currency_value !== earning.currency_value;
  return (
    <fieldset className={classes["group"]} data-changed={isChanged || undefined}>
      <legend>{t.baseRate}</legend>
      <p className={classes["hint"]}>
        {t.baseRateHint} <Help example="earning.rate" of={t.baseRate} term="rate" />
      </p>
      <RateFields
        pointer="/earning"
        rate={{ point_value: earning.point_value, currency_value: earning.currency_value }}
        onChange={({ point_value, currency_value }) => {
          const next = {
            point_value: point_value ?? earning.point_value,
            currency_value: currency_value ?? earning.currency_value,
          };
          change({ ...document, earning: { ...earning, ...next } });
        }}
      />
    </fieldset>
  );
}

function PointWorth() {
  const t = useWords(words);
  const { document, format } = useDraft();
  const sample = 500;
  return (
    <p className={classes["hint"]}>
      {t.pointIsWorth(t.points(format.points(sample)), format.money(sample * document.coupons.point_worth))}
    </p>
  );
}
