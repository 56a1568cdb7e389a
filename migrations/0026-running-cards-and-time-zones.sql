-- Rulings R4: cards that are edited as they grow. Messages of one chat with the same key and end are one card in Telegram: the first
-- is sent, the later ones edit it. Once its hour is over, the next message begins a new card.
alter table telegram_messages add column running_key text;
alter table telegram_messages add column running_until timestamptz;
create index telegram_messages_running on telegram_messages (chat_id, running_key, id) where running_key is not null;

-- Quiet hours and recaps go by a time zone's name, so that daylight saving is right. What a group had chosen as an offset stays the
-- same clock: whole hours have zones of their own (their sign is the other way round); of the others, a zone without daylight
-- saving where there is one, or else the nearest whole hour.
alter table telegram_configurations add column time_zone text not null default 'UTC';
update telegram_configurations set time_zone = case utc_offset_minutes
    when 0 then 'UTC'
    when -570 then 'Pacific/Marquesas'
    when 210 then 'Asia/Tehran'
    when 270 then 'Asia/Kabul'
    when 330 then 'Asia/Kolkata'
    when 345 then 'Asia/Kathmandu'
    when 390 then 'Asia/Yangon'
    when 525 then 'Australia/Eucla'
    when 570 then 'Australia/Darwin'
    else case when round(utc_offset_minutes / 60.0) = 0 then 'UTC'
      else 'Etc/GMT' || to_char(-round(utc_offset_minutes / 60.0), 'FMSG99') end
  end;
alter table telegram_configurations drop column utc_offset_minutes;
