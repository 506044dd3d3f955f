import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import { useWords } from "../../words/use-words.ts";
import { TypeButton } from "./type-button.tsx";
import { words } from "./words.ts";

interface TypeChoicesProps {
  chosen: readonly string[];
  /** Called with types, comma-separated; empty: all. */
  onChange(value: string): void;
}

/** The button of the types with its menu, which is open at first, because the button was pressed. */
export function TypeChoices({ chosen, onChange }: TypeChoicesProps) {
  const t = useWords(words);
  return (
    <Popover position="bottom-start" trapFocus shadow="sm" defaultOpened>
      <Popover.Target>
        <TypeButton chosen={chosen} />
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          value={[...chosen]}
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
