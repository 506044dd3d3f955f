import { Button } from "@mantine/core";
import type { ComponentProps } from "react";
import { ChevronDownIcon } from "../../ui/layout/icons.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

interface TypeButtonProps extends ComponentProps<typeof Button<"button">> {
  chosen: readonly string[];
}

/** The chosen types; it opens the choice. One that was typed into the address may be none. */
export function TypeButton({ chosen, ...button }: TypeButtonProps) {
  const t = useWords(words);
  const names: Readonly<Record<string, string>> = t.types;
  const [only] = chosen;
  const label =
    only === undefined ? t.allTypes : chosen.length === 1 ? (names[only] ?? t.unknownType) : t.typeCount(chosen.length);
  return (
    <Button
      aria-haspopup="dialog"
      aria-expanded={false}
      data-focus-name="types"
      {...button}
      variant="default"
      fw={400}
      rightSection={<ChevronDownIcon />}
      aria-label={`${t.type}: ${label}`}
    >
      {label}
    </Button>
  );
}
