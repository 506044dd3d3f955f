import { type NotificationData, notifications } from "@mantine/notifications";
import { words } from "../words.ts";

/** Shows a toast and returns its id. It is called outside components, so it reads the language from the page itself. */
export function showToast(toast: NotificationData): string {
  const t = document.documentElement.lang === "ja" ? words.ja : words.en;
  return notifications.show({ withBorder: true, closeButtonProps: { "aria-label": t.close }, ...toast });
}
