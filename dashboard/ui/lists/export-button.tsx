import { Button, Menu } from "@mantine/core";
import { apiUrl } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { useWords } from "../../words/use-words.ts";
import { ChevronDownIcon } from "../layout/icons.tsx";
import { words } from "../words.ts";

interface ExportButtonProps {
  /** The file's path: `/orders.csv`. */
  path: string;
  /** The list's filters and order, without its page. */
  filters: Readonly<Record<string, string>>;
  isOpened: boolean;
}

/** The button for a file of everything that a list's filters match, for people who may download it. */
export function ExportButton({ path, filters, isOpened }: ExportButtonProps) {
  const t = useWords(words);
  const { after: _after, ...given } = filters;
  const urlOf = (encoding: string) => apiUrl(path, { ...given, encoding });
  if (!useSession().can("lists.export")) return null;
  return (
    <Menu position="bottom-end" shadow="sm" defaultOpened={isOpened}>
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon />} data-focus-name="export">
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
