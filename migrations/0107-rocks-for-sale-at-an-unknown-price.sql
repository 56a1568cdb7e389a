-- For sale at a price that cannot be read is not 'not for sale'.
alter table rocks add column is_listed boolean not null default false;
update rocks set is_listed = list_price_mist is not null;
