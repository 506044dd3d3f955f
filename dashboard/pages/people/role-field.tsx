import { Radio, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { ROLES, type Role } from "../../../src/wire/access.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

interface RoleFieldProps {
  value: Role;
  onChange(role: Role): void;
  error?: ReactNode;
  /** Whether a heading above already names the field. */
  hasHeading?: boolean;
}

/** The four roles, each with what it may do. */
export function RoleField({ value, onChange, error, hasHeading = false }: RoleFieldProps) {
  const t = useWords(words);
  const choose = (text: string) => {
    const role = ROLES.find((one) => one === text);
    if (role !== undefined) onChange(role);
  };
  return (
    <Radio.Group
      {...(hasHeading ? { "aria-label": t.role } : { label: t.role })}
      value={value}
      onChange={choose}
      error={error}
    >
      <Stack gap={8} mt={4}>
        {ROLES.map((role) => (
          <Radio key={role} value={role} label={t.roles[role]} description={t.roleHints[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
