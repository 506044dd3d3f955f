import { Button, Menu } from "@mantine/core";
import { apiUrl } from "../../api/client.ts";
import { ChevronDownIcon } from "../../ui/icons.tsx";
import { useWords } from "../../words/use-words.ts";
import { type Filters, filtersOnly } from "./use-filters.ts";
import { words } from "./words.ts";

/** The file of all that the filters show. */
export function ExportButton({ filters }: { filters: Filters }) {
  const t = useWords(words);
  const urlOf = (encoding: string) => apiUrl("/ledger.csv", { ...filtersOnly(filters), encoding });
  return (
    <Menu position="bottom-end" shadow="sm">
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon />}>
          {t.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={urlOf("utf-8")} download>
          {t.csv}
        </Menu.Item>
        <Menu.Item component="a" href={urlOf("utf-8-bom")} download>
          {t.csvForExcel}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
