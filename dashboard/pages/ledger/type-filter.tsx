import { lazy, Suspense, useState } from "react";
import { loadCode } from "../../api/code.ts";
import { TypeButton } from "./type-button.tsx";

interface TypeFilterProps {
  /** Types, comma-separated; empty: all. */
  value: string;
  onChange(value: string): void;
}

/** The menu's code is as large as the page's: the rows are shown first. */
const TypeChoices = lazy(loadCode(async () => ({ default: (await import("./type-choices.tsx")).TypeChoices })));

/** The types to show, several at once. */
export function TypeFilter({ value, onChange }: TypeFilterProps) {
  const [isUsed, setIsUsed] = useState(false);
  const chosen = value === "" ? [] : value.split(",");
  const closed = <TypeButton chosen={chosen} onClick={() => setIsUsed(true)} />;
  if (!isUsed) return closed;
  return (
    <Suspense fallback={closed}>
      <TypeChoices chosen={chosen} onChange={onChange} />
    </Suspense>
  );
}
