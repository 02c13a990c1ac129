"""What an operator sees of a running server: its metrics, and whether it is ready for players.

    parts ──▶ metrics ─┐
    parts ──▶ readiness┴▶ worker_sight ──pipe──▶ overseer ──▶ admin port

- `metrics`: every metric of a worker, a line each; parts are handed what they measure.
- `readiness`: what keeps a worker from serving, judged from a few figures.
- `worker_sight`: a worker's answers to its supervisor, made when it is asked.
- `exposition`: what passes between the two, and the page that is made of it.
- `overseer`: the supervisor's side: asks all workers and waits for none too long.
"""
