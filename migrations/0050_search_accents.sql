-- Customers are found without the accents of their names ("soren" finds Søren) and by the domain of their e-mail. The index of pairs stays
-- as it is: names with accents, which are few, have one of their own beside it. Larger tables are left without the two, since writers would
-- wait: docs/operations.md has the statements that make them while the service runs, and the search does without them until then.

-- A folded name without accents and with the letters of the plain alphabet. It calls no function of ours, as search_text. Marks of kana are
-- kept.
create function search_plain(folded text) returns text
language sql immutable strict parallel safe
return replace(replace(replace(replace(
  translate(normalize(regexp_replace(normalize(folded, nfd), '[\u0300-\u036f]', '', 'g'), nfc), 'øđðłħıŧŋ', 'oddlhitn'),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

do $$
begin
  if (select count(*) from (select from customer limit 300001) as looked_at) <= 300000 then
    create index customer_accents on customer using gin (search_grams(search_text(search_plain(search_fold(name)), email)))
    with (gin_pending_list_limit = 256)
    where deleted_at is null and search_plain(search_fold(name)) <> search_fold(name);
    create index customer_email_domain on customer (split_part(email, '@', 2) text_pattern_ops)
    where deleted_at is null and email is not null;
  end if;
end
$$;
