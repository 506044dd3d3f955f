import { lazy, Suspense, useState } from "react";
import { loadCode } from "../../api/code.ts";
import { TypeButton } from "./type-button.tsx";

interface TypeFilterProps {
  /** Types, comma-separated; empty: all. */
  value: string;
  onChange(value: string): void;
}

/** The code of what opens is as large as that of the page: the rows are there first. */
const TypeChoices = lazy(loadCode(async () => ({ default: (await import("./type-choices.tsx")).TypeChoices })));

/** Which types are shown, several at once. */
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
