import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import { ChevronDownIcon } from "../../ui/icons.tsx";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

interface TypeFilterProps {
  /** Types, comma-separated; empty: all. */
  value: string;
  onChange(value: string): void;
}

/** Which types are shown, several at once. */
export function TypeFilter({ value, onChange }: TypeFilterProps) {
  const t = useWords(words);
  const chosen = value === "" ? [] : value.split(",");
  const [only] = chosen;
  const label =
    only === undefined ? t.allTypes : chosen.length === 1 ? nameOf(t.types, only) : t.typeCount(chosen.length);
  return (
    <Popover position="bottom-start" trapFocus shadow="sm">
      <Popover.Target>
        <Button variant="default" fw={400} rightSection={<ChevronDownIcon />} aria-label={`${t.type}: ${label}`}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          value={chosen}
          onChange={(types) =>
            onChange(
              Object.keys(t.types)
                .filter((type) => types.includes(type))
                .join(","),
            )
          }
          aria-label={t.type}
        >
          <Stack gap={8}>
            {Object.entries(t.types).map(([type, name]) => (
              <Checkbox key={type} value={type} label={name} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Button variant="default" fullWidth mt={12} disabled={chosen.length === 0} onClick={() => onChange("")}>
          {t.clear}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
