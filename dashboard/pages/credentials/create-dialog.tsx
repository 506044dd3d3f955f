import { useState } from "react";
import type { NewCredential } from "../../../src/admin/credentials/schema.ts";
import { useWords } from "../../words/use-words.ts";
import { ScopesField } from "./scopes-field.tsx";
import { NewSecretDialog } from "./secret-dialogs.tsx";
import { words } from "./words.ts";

/** Creates a credential; its secret is shown once. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const t = useWords(words);
  const [scopes, setScopes] = useState<string[]>(["read", "write"]);
  const isNone = scopes.length === 0;
  return (
    <NewSecretDialog<NewCredential>
      title={t.create}
      nameHint={t.nameHint}
      secretHint={t.secretHint}
      path="/credentials"
      body={{ scopes }}
      isDisabled={isNone}
      idOf={({ key }) => [t.key, key]}
      onClose={onClose}
    >
      <ScopesField value={scopes} onChange={setScopes} error={isNone ? t.scopesNeeded : null} />
    </NewSecretDialog>
  );
}
