import { Button, FileButton, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ThemeBody } from "../../../src/admin/theme/schema.ts";
import { COLOR_PATTERN, CONTRAST_MIN, contrastWithWhite, LOGO_MAX_BYTES } from "../../../src/wire/theme.ts";
import { apiSend, apiUrl } from "../../api/client.ts";
import { SESSION_KEY, useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { PageForm } from "../../ui/forms/page-form.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { words } from "./words.ts";

/** The picker's colour when none is chosen: the dashboard's default. */
const OWN_COLOR = "#364fc7";

/** The store's colour and logo. */
export function AppearancePage() {
  const t = useWords(words);
  const { store, can } = useSession();
  if (!can("theme.change"))
    return (
      <Page title={t.title} subtitle={t.readOnly}>
        {null}
      </Page>
    );
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <ColorPart key={store.theme.color} />
      <LogoPart />
    </Page>
  );
}

function useChangeTheme() {
  const t = useWords(words);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ThemeBody) => apiSend("PUT", "/theme", body),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: SESSION_KEY });
      notifyDone(t.saved);
    },
    onError: (error) => {
      if (faultOf(error, "/color") === null && faultOf(error, "/logo") === null) notifyFailed(error);
    },
  });
}

function ColorPart() {
  const t = useWords(words);
  const { color: present } = useSession().store.theme;
  const [color, setColor] = useState(present ?? "");
  const change = useChangeTheme();
  const isColor = new RegExp(COLOR_PATTERN).test(color);
  return (
    <Section title={t.colorTitle}>
      <PageForm
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ color: color === "" ? null : color });
        }}
      >
        <Stack gap={12}>
          <div className={classes["row"]}>
            <TextInput
              label={t.color}
              description={t.colorHint}
              value={color}
              onChange={(event) => setColor(event.currentTarget.value.trim())}
              error={faultOf(change.error, "/color")}
              maxLength={7}
              placeholder={OWN_COLOR}
            />
            <input
              type="color"
              className={classes["picker"]}
              aria-label={t.pick}
              value={isColor ? color.toLowerCase() : OWN_COLOR}
              onChange={(event) => setColor(event.currentTarget.value)}
            />
          </div>
          {isColor ? <Contrast color={color} /> : null}
          <div className={classes["row"]}>
            <Button type="submit" loading={change.isPending} disabled={color !== "" && !isColor}>
              {t.save}
            </Button>
            {present === null ? null : (
              <Button variant="default" onClick={() => change.mutate({ color: null })}>
                {t.own}
              </Button>
            )}
          </div>
        </Stack>
      </PageForm>
    </Section>
  );
}

/** Shows white text on the colour, and whether it is legible. */
function Contrast({ color }: { color: string }) {
  const t = useWords(words);
  const format = useFormat();
  const ratio = contrastWithWhite(color);
  const isReadable = ratio >= CONTRAST_MIN;
  return (
    <div className={classes["row"]}>
      {isReadable ? (
        <span className={classes["example"]} style={{ background: color }}>
          {t.example}
        </span>
      ) : null}
      <span role="status" className={isReadable ? undefined : classes["fault"]}>
        {t.contrast(format.number(Math.floor(ratio * 10) / 10))}. {isReadable ? t.readable : t.tooLight}
      </span>
    </div>
  );
}

function LogoPart() {
  const t = useWords(words);
  const { theme } = useSession().store;
  const [isTooLarge, setIsTooLarge] = useState(false);
  const change = useChangeTheme();
  const choose = async (file: File | null) => {
    if (file === null) return;
    setIsTooLarge(file.size > LOGO_MAX_BYTES);
    if (file.size <= LOGO_MAX_BYTES) change.mutate({ color: theme.color, logo: base64Of(await file.arrayBuffer()) });
  };
  const fault = isTooLarge ? t.tooLarge : faultOf(change.error, "/logo");
  return (
    <Section title={t.logoTitle}>
      <Stack gap={12}>
        <div className={classes["hint"]}>{t.logoHint}</div>
        {theme.logo === null ? (
          <div>{t.none}</div>
        ) : (
          <img className={classes["logo"]} alt={t.logoAlt} src={apiUrl("/theme/logo.png", { v: theme.logo })} />
        )}
        {fault === null ? null : (
          <div role="alert" className={classes["fault"]}>
            {fault}
          </div>
        )}
        <div className={classes["row"]}>
          <FileButton onChange={(file) => void choose(file)} accept="image/png">
            {(props) => (
              <Button {...props} variant="default" loading={change.isPending}>
                {t.choose}
              </Button>
            )}
          </FileButton>
          {theme.logo === null ? null : (
            <Button variant="default" onClick={() => change.mutate({ color: theme.color, logo: null })}>
              {t.remove}
            </Button>
          )}
        </div>
      </Stack>
    </Section>
  );
}

function base64Of(bytes: ArrayBuffer): string {
  return btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""));
}
