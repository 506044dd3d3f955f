import { Checkbox, NativeSelect, Radio, TextInput } from "@mantine/core";
import type { CheckBody, ImportColumns, ImportVendor } from "../../../src/admin/csv/schema.ts";
import { DAY_EXAMPLES, DAY_FORMS } from "../../../src/wire/day-forms.ts";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { missingFields } from "./import-fields.ts";
import { moveWords } from "./move-words.ts";

interface MoveFieldsProps {
  vendors: readonly ImportVendor[];
  body: CheckBody;
  onChange(part: Partial<CheckBody>): void;
}

/** The app of the file, detected by its header and correctable. Another app means another mapping. */
export function VendorChoice({ vendors, body, onChange }: MoveFieldsProps) {
  const t = useWords(moveWords);
  const { language } = useLanguage();
  const { options } = body;
  const vendor = vendors.find(({ name }) => name === options.vendor);
  const choose = (name: string) => {
    const chosen = vendors.find((each) => each.name === name);
    const columns: ImportColumns = chosen === undefined ? {} : chosen.columns;
    onChange({ options: { ...options, vendor: chosen?.name ?? null, move_days: null }, columns });
  };
  const said = ({ title, columns }: ImportVendor) =>
    (missingFields("move", columns).length === 0 ? t.recognised : t.chosen)(title);
  const things = vendor?.leaves_out.map((each) => each[language]).join(language === "ja" ? "、" : ", ");
  return (
    <div className={classes["stack"]}>
      <div className={classes["fields"]}>
        <NativeSelect
          label={t.whichApp}
          value={options.vendor ?? ""}
          data={[
            { value: "", label: t.chooseApp },
            ...vendors.map(({ name, title }) => ({ value: name, label: title })),
          ]}
          onChange={({ currentTarget: { value } }) => choose(value)}
        />
      </div>
      <p className={classes["hint"]}>
        {vendor === undefined ? t.notRecognised : `${said(vendor)} ${t.leavesOut(things ?? "")}`}
      </p>
    </div>
  );
}

/** What the points mean, how days are written, and how long tiers are kept. */
export function MoveOptions({ body, onChange }: Omit<MoveFieldsProps, "vendors">) {
  const t = useWords(moveWords);
  const { options } = body;
  return (
    <div className={classes["stack"]}>
      <Radio.Group
        label={t.howPoints}
        value={options.sets_balance === true ? "set" : "add"}
        onChange={(value) => onChange({ options: { ...options, sets_balance: value === "set" } })}
      >
        <div className={classes["stack"]}>
          <Radio value="add" label={t.adds} mt={8} />
          <Radio value="set" label={t.sets} />
        </div>
      </Radio.Group>
      {options.sets_balance === true ? null : (
        <Checkbox
          label={t.again}
          description={t.againHint}
          checked={options.again ?? false}
          onChange={({ currentTarget: { checked } }) => onChange({ options: { ...options, again: checked } })}
        />
      )}
      <div className={classes["fields"]}>
        <NativeSelect
          label={t.days}
          value={options.move_days ?? ""}
          data-form-of-file
          data={[{ value: "", label: t.asApp }, ...DAY_FORMS.map((value) => ({ value, label: DAY_EXAMPLES[value] }))]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ options: { ...options, move_days: DAY_FORMS.find((known) => known === value) ?? null } })
          }
        />
      </div>
      <TextInput
        type="date"
        className={classes["progress"] ?? ""}
        label={t.asOf}
        description={t.asOfHint}
        value={options.as_of ?? ""}
        onChange={({ currentTarget: { value } }) =>
          onChange({ options: { ...options, as_of: value === "" ? null : value } })
        }
      />
      <TextInput
        type="date"
        className={classes["progress"] ?? ""}
        label={t.keepTiers}
        description={t.keepTiersHint}
        value={options.keep_tiers_until ?? ""}
        onChange={({ currentTarget: { value } }) =>
          onChange({ options: { ...options, keep_tiers_until: value === "" ? null : value } })
        }
      />
    </div>
  );
}
