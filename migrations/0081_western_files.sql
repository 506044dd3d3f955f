-- Files of a spreadsheet in Western Europe are read in its encoding.

alter table import
  drop constraint import_encoding_check,
  add constraint import_encoding_check check (encoding in ('utf-8', 'shift_jis', 'windows-1252', 'utf-16le', 'utf-16be'));
