-- The refresh of the treasury is a job (docs/decisions/0030): when it was last begun is the engine's to know.
delete from treasury_last_good where reading is null or read_at is null;
alter table treasury_last_good
  drop column attempted_at,
  alter column reading set not null,
  alter column read_at set not null;
