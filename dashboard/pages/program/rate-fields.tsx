import { faultOf } from "../../ui/forms/fault-of.ts";
import { Help } from "../../ui/forms/help.tsx";
import { moneyText, wholeText } from "../../ui/forms/typed-number.ts";
import type { GlossaryTerm } from "../../words/glossary-words.ts";
import type { ExampleName } from "../../words/program-example-words.ts";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft/draft-context.ts";
import { CountField, MoneyField } from "./number-fields.tsx";
import classes from "./program.module.css";
import { words } from "./words.ts";

interface Rate {
  readonly point_value: number | null;
  readonly currency_value: number | null;
}

interface RateFieldsProps<R extends Rate> {
  rate: R;
  onChange(rate: R): void;
  /** The pointer of the object with the two fields. */
  pointer: string;
  /** Whether the points may be left empty, which means the usual rate. */
  canBeUsual?: boolean;
  /** The worked example of the rate, and the glossary term for it. */
  help?: { readonly example: ExampleName; readonly of: string; readonly term: GlossaryTerm };
  /** Distinguishes rates in a list. */
  of?: string;
}

/** A number of points for an amount of money, and its meaning in words. */
export function RateFields<R extends Rate>({
  rate,
  onChange,
  pointer,
  canBeUsual = false,
  help,
  of,
}: RateFieldsProps<R>) {
  const t = useWords(words);
  const { refusal, document, digits } = useDraft();
  const { earning } = document;
  const named = (label: string) => (of === undefined ? label : `${label} (${of})`);
  const usualPoints = canBeUsual ? { emptyMeans: wholeText(earning.point_value) } : {};
  const usualMoney = pointer === "/earning" ? {} : { emptyMeans: moneyText(earning.currency_value, digits) };
  return (
    <div>
      <div className={classes["rate"]}>
        <CountField
          label={named(t.pointsLabel)}
          value={rate.point_value}
          onChange={(value) => onChange({ ...rate, point_value: value })}
          fault={faultOf(refusal, `${pointer}/point_value`)}
          {...usualPoints}
        />
        <MoneyField
          label={named(t.perLabel)}
          value={rate.currency_value}
          onChange={(value) => onChange({ ...rate, currency_value: value })}
          fault={faultOf(refusal, `${pointer}/currency_value`)}
          {...usualMoney}
        />
      </div>
      <span className={classes["meaning"]}>
        <RateText
          points={rate.point_value ?? earning.point_value}
          money={rate.currency_value ?? earning.currency_value}
          hasRounding
        />{" "}
        {help === undefined ? null : <Help {...help} />}
      </span>
    </div>
  );
}

/** "2 pt for every ¥100, rounded up". */
export function RateText({
  points,
  money,
  hasRounding = false,
}: {
  points: number;
  money: number;
  hasRounding?: boolean;
}) {
  const t = useWords(words);
  const { format, document } = useDraft();
  const amount = format.money(money);
  const gained = t.points(format.points(points));
  if (!hasRounding) return t.rate(gained, amount);
  return t.rateRounded(gained, amount, t.roundings[document.earning.rounding]);
}
