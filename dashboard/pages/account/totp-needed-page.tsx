import { Button, Stack } from "@mantine/core";
import { Entrance } from "../../ui/layout/entrance.tsx";
import { useWords } from "../../words/use-words.ts";
import { PasskeysPart } from "./passkeys-part.tsx";
import { TotpPart } from "./totp-part.tsx";
import { useAccount } from "./use-account.ts";
import { words } from "./words.ts";

/** Replaces every page until a person who must have a second factor has turned it on. */
export function TotpNeededPage() {
  const t = useWords(words);
  const signOut = useAccount("DELETE", "/session", () => undefined);
  return (
    <Entrance title={t.totpNeeded} subtitle={t.totpNeededWhat} otherLanguage={t.otherLanguage}>
      <Stack gap={16}>
        <TotpPart />
        <PasskeysPart />
      </Stack>
      <Button variant="subtle" fullWidth mt={16} loading={signOut.isPending} onClick={() => signOut.mutate({})}>
        {t.signOut}
      </Button>
    </Entrance>
  );
}
