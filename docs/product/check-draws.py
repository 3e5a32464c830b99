"""Checks the receipts of draws: python3 check-draws.py receipt.json ..."""
import hashlib, hmac, json, sys


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def integers(server_seed, seeds):
    tail = b"".join(sorted({bytes.fromhex(seed) for seed in seeds}))
    block = 0
    while True:
        message = block.to_bytes(4, "big") + tail
        digest = hmac.new(bytes.fromhex(server_seed), message, hashlib.sha256).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1


def below(stream, limit):
    end = 2**64 // limit * limit
    return next(integer for integer in stream if integer < end) % limit


def draw(table, seeds):
    stream = integers(table["serverSeed"], seeds)
    people = [(person["weight"], list(person["tickets"])) for person in table["people"]]
    while people and table["picks"] > 0:
        total = sum(weight for weight, _ in people)
        place = below(stream, total)
        for weight, tickets in people:
            place -= weight
            if place < 0:
                break
        ticket = tickets[below(stream, len(tickets))]
        odds = sum(weight / total / len(tickets) for weight, tickets in people if ticket in tickets)
        yield ticket, odds
        table = {**table, "picks": table["picks"] - 1}
        people = [(weight, [each for each in tickets if each != ticket]) for weight, tickets in people]
        people = [person for person in people if person[1]]


def is_sorted(values):
    return all(one < other for one, other in zip(values, values[1:]))


def check(receipt):
    """Yields what is wrong."""
    table, seeds, picked = receipt["table"], receipt["seeds"], receipt["picked"]
    names = [person["username"].encode("utf-16-be") for person in table["people"] if person["username"]]
    if not all(is_sorted(values) for values in [names] + [person["tickets"] for person in table["people"]]):
        yield "the table is not in order"
    for name in ["watchlistId", "drawNumber", "rule", "filter", "picks"]:
        if canonical(receipt[name]) != canonical(table[name]):
            yield f"{name} is not the one of the table"
    if sha256(canonical(table)) != receipt["commitment"]:
        yield "the table is not the one of the commitment"
    if not seeds:
        yield "no device has contributed a seed"
    hashes = receipt.get("hashes")
    if hashes is not None and hashes != sorted({hashlib.sha256(bytes.fromhex(seed)).hexdigest() for seed in seeds}):
        yield "the seeds are not the ones of the hashes"
    expected = list(draw(table, seeds))
    if [pick["ticket"] for pick in picked] != [ticket for ticket, _ in expected]:
        yield "the seeds draw other tickets"
    elif any(abs(pick["odds"] - odds) > 1e-9 for pick, (_, odds) in zip(picked, expected)):
        yield "the odds are wrong"
    for pick in picked:
        if sha256(f"marquee-ticket:{pick['cardId']}:{pick['secret']}") != pick["ticket"]:
            yield "a ticket is not the one of its card"


receipts = []
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
        receipts += content if isinstance(content, list) else [content]
receipts.sort(key=lambda receipt: receipt["drawNumber"])
numbers = [receipt["drawNumber"] for receipt in receipts]
wrong = 0
for number in sorted(set(range(min(numbers), max(numbers) + 1)) - set(numbers)):
    wrong += 1
    print(f"Draw {number}: is missing")
for receipt in receipts:
    if receipt["status"] != "revealed" or receipt["commitment"] is None:
        absent = ", ".join(device["name"] for device in receipt.get("absent", []))
        reason = f" because of absent devices: {absent}" if absent else ""
        print(f"Draw {receipt['drawNumber']}: {receipt['status']}{reason}, cannot be checked")
        continue
    mistakes = list(check(receipt))
    wrong += len(mistakes) > 0
    kind = " (older kind, without hashes)" if receipt.get("hashes") is None else ""
    print(f"Draw {receipt['drawNumber']}: {'; '.join(mistakes) or 'right'}{kind}")
sys.exit(1 if wrong else 0)
