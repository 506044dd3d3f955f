import { Drawer } from "@mantine/core";
import type { MouseEvent } from "react";
import { useWords } from "../words/use-words.ts";
import classes from "./shell.module.css";
import { SideNavigation } from "./side-navigation.tsx";
import { words } from "./words.ts";

/** The navigation on screens without space for it beside the page. */
export function NavigationDrawer({ onClose }: { onClose: () => void }) {
  const t = useWords(words);
  /** A link to the page that is shown changes nothing else. */
  const closeAtLink = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest("a") !== null) onClose();
  };
  return (
    <Drawer
      opened
      onClose={onClose}
      onClick={closeAtLink}
      size={264}
      title={t.navigation}
      closeButtonProps={{ "aria-label": t.close }}
      classNames={{ content: classes["drawer"] ?? "", body: classes["drawerBody"] ?? "" }}
    >
      <SideNavigation />
    </Drawer>
  );
}
