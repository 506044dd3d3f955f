import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import type { ViewList } from "../../src/wire/saved-views.ts";
import { ExportButton } from "./export-button.tsx";
import { SavedViews } from "./saved-views.tsx";

interface ListActionsProps {
  list: ViewList;
  /** The list's path: `/orders`. */
  path: string;
  /** The path of its file: `/orders.csv`. */
  file: string;
  filters: Readonly<Record<string, string>>;
  /** The filters where none is in use. */
  defaults: Readonly<Record<string, string>>;
  /** What else the page offers. */
  children?: ReactNode;
}

/** What can be done with a list as a whole: its saved views and its file. */
export function ListActions({ list, path, file, filters, defaults, children }: ListActionsProps) {
  return (
    <Group gap={8}>
      {children}
      <SavedViews {...{ list, path, filters, defaults }} />
      <ExportButton path={file} filters={filters} />
    </Group>
  );
}
