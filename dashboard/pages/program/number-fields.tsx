import type { ReactNode } from "react";
import { minorOf, moneyText, wholeOf, wholeText } from "../../ui/forms/typed-number.ts";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft/draft-context.ts";
import { NumberText } from "./number-text.tsx";
import { words } from "./words.ts";

interface FieldProps {
  label: ReactNode;
  value: number | null;
  onChange(value: number | null): void;
  /** If set, an empty field is null, with this meaning. */
  emptyMeans?: string;
  description?: ReactNode;
  fault?: string | null;
  className?: string;
  isDisabled?: boolean;
}

/** A whole number: points, days, months. */
export function CountField({ emptyMeans, value, ...rest }: FieldProps) {
  const t = useWords(words);
  const { isEditable } = useDraft();
  const read = (text: string) => {
    if (emptyMeans !== undefined && text.trim() === "") return { value: null };
    const found = wholeOf(text);
    return found === null ? { fault: t.notWhole } : { value: found };
  };
  const empty = emptyMeans === undefined ? {} : { placeholder: emptyMeans };
  return (
    <NumberText
      isDisabled={!isEditable}
      {...rest}
      {...empty}
      text={value === null ? "" : wholeText(value)}
      read={read}
    />
  );
}

interface FactorFieldProps extends Pick<FieldProps, "label" | "description"> {
  value: number;
  onChange(value: number): void;
}

const FACTOR_MAX = 100;

/** A factor above 0 with at most two decimals. */
export function FactorField({ value, onChange, ...rest }: FactorFieldProps) {
  const t = useWords(words);
  const { isEditable } = useDraft();
  const read = (text: string) => {
    const hundredths = minorOf(text, 2);
    const isFactor = hundredths !== null && hundredths > 0 && hundredths <= FACTOR_MAX * 100;
    return isFactor ? { value: hundredths / 100 } : { fault: t.notFactor };
  };
  return (
    <NumberText
      {...rest}
      isDisabled={!isEditable}
      text={String(value)}
      read={read}
      onChange={(next) => next !== null && onChange(next)}
      unit={<span aria-hidden="true">×</span>}
    />
  );
}

/** An exact amount in the store's currency, in minor units. */
export function MoneyField({ emptyMeans, value, ...rest }: FieldProps) {
  const t = useWords(words);
  const { isEditable, digits, document } = useDraft();
  const read = (text: string) => {
    if (emptyMeans !== undefined && text.trim() === "") return { value: null };
    const found = minorOf(text, digits);
    return found === null ? { fault: t.notMoney(digits) } : { value: found };
  };
  const empty = emptyMeans === undefined ? {} : { placeholder: emptyMeans };
  return (
    <NumberText
      isDisabled={!isEditable}
      {...rest}
      {...empty}
      text={value === null ? "" : moneyText(value, digits)}
      read={read}
      unit={<span aria-hidden="true">{document.store.currency}</span>}
    />
  );
}
