import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { NewStorefrontKey } from "../../../src/admin/credentials/schema.ts";
import { useWords } from "../../words/use-words.ts";
import { NewSecretDialog } from "./secret-dialogs.tsx";
import { storefrontWords } from "./storefront-words.ts";

/** Creates a storefront key; its secret is shown once. */
export function StorefrontKeyDialog({ onClose }: { onClose(): void }) {
  const t = useWords(storefrontWords);
  const [canRedeem, setCanRedeem] = useState(true);
  return (
    <NewSecretDialog<NewStorefrontKey>
      title={t.create}
      nameHint={t.nameHint}
      secretHint={t.secretHint}
      path="/storefront/keys"
      body={{ can_redeem: canRedeem }}
      idOf={({ key_id }) => [t.keyId, key_id]}
      onClose={onClose}
    >
      <Checkbox
        label={t.canRedeem}
        description={t.canRedeemHint}
        checked={canRedeem}
        onChange={(event) => setCanRedeem(event.currentTarget.checked)}
      />
    </NewSecretDialog>
  );
}
