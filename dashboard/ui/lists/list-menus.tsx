import { SavedViews } from "../views/saved-views.tsx";
import { ExportButton } from "./export-button.tsx";
import type { ListActionsProps, ListMenu } from "./list-actions.tsx";

interface ListMenusProps extends Omit<ListActionsProps, "children"> {
  opened: ListMenu | null;
}

/** The menus of a list: its views and its file. */
export function ListMenus({ list, path, file, filters, defaults, opened }: ListMenusProps) {
  return (
    <>
      {list === undefined ? null : <SavedViews {...{ list, path, filters, defaults }} isOpened={opened === "views"} />}
      <ExportButton path={file} filters={filters} isOpened={opened === "export"} />
    </>
  );
}
