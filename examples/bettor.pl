#!/usr/bin/perl
# A player in one file: sits down, bets 5.00 on Player once, tells what came of it, and leaves.
# Needs only Perl and Mojolicious (on Debian: apt-get install libmojolicious-perl).
#
# perl bettor.pl ws://localhost:8000/ws standard

use Mojo::Base -strict, -signatures;
use Mojo::IOLoop;
use Mojo::UserAgent;

my ($url, $table) = ($ARGV[0] // 'ws://localhost:8000/ws', $ARGV[1] // 'standard');
my $agent = Mojo::UserAgent->new(inactivity_timeout => 50);    # after so much silence a server is given up
my ($status, $seen, $me, $staked) = (1);

# Names an action: sent again, it happens once.
sub op { join '', map { ('a' .. 'z', 0 .. 9)[rand 36] } 1 .. 16 }
sub units ($cents) { sprintf '%.2f', $cents / 100 }

# Counts an event; an unknown one too.
sub follows ($message) {
    my $next = $seen && $message->{epoch} eq $seen->{epoch} && $message->{seq} == $seen->{seq} + 1;
    $seen = {epoch => $message->{epoch}, seq => $message->{seq}};
    return $next;
}

my %on = (
    snapshot => sub ($tx, $message) {
        $tx->send({json => {type => 'sit', id => 1, table => $table, buy_in => 100_00, op => op()}}) if !$seen;
        $seen = {epoch => $message->{epoch}, seq => $message->{seq}};
    },
    me => sub ($tx, $message) {
        my ($seat, $bankroll, $wallet) = map { $_ // 0 } @$message{qw(seat bankroll wallet)};    # 0 may be left out
        if (($message->{id} // 0) == 3) {
            say 'left with a wallet of ', units($wallet);
            $status = 0;
            return $tx->finish;
        }
        say "seat $seat, ", units($bankroll) if !$me && $seat;
        $me = $seat ? $message : undef;
    },
    betting => sub ($tx, $message) {
        return if !$me || $staked;
        my %slip = (table => $table, round => $message->{round}, rev => $me->{rev}, bets => {player => 5_00});
        $tx->send({json => {type => 'slip', id => 2, op => op(), %slip}});
    },
    slip_accepted => sub ($tx, $message) {
        $staked = $message->{round};
        $tx->send({json => {type => 'deal', table => $table, round => $staked, op => op()}});
    },
    card => sub ($tx, $message) {
        printf "  %-6s  %s  %d\n", @$message{qw(hand card total)};
    },
    result => sub ($tx, $message) {
        say "$message->{outcome}: player $message->{player}{total}, banker $message->{banker}{total}";
    },
    payout => sub ($tx, $message) {
        my $bet = $message->{payout}{bets}[0];
        say "$bet->{bet} ", units($bet->{stake}), ": $bet->{result}, ", units($bet->{returned}), ' back';
        $tx->send({json => {type => 'leave', id => 3, table => $table, op => op()}});
    },
    error => sub ($tx, $message) {
        # A slip that came too late is for the next window; everything else is not for us to mend.
        return if ($message->{id} // 0) == 2;
        say $message->{message};
        $tx->finish;
    },
);

$agent->websocket(
    $url => ['croupier.v1.json'] => sub ($agent, $tx) {
        if (!$tx->is_websocket) {
            say 'no websocket: ', $tx->error ? $tx->error->{message} : $tx->res->code;
            return Mojo::IOLoop->stop;
        }
        $tx->on(finish => sub { Mojo::IOLoop->stop });
        $tx->on(
            json => sub ($tx, $message) {
                my $event = ($message->{table} // '') eq $table && exists $message->{at_ms};
                if ($event && !follows($message)) {
                    say 'an event is missing: watch again with `since`';
                    return $tx->finish;
                }
                my $does = $on{$message->{type}};
                $does->($tx, $message) if $does;    # types that we do not know are passed over
            }
        );
        $tx->send({json => {type => 'hello', name => 'Perl'}});
        $tx->send({json => {type => 'watch', table => $table}});
    }
);
$| = 1;
Mojo::IOLoop->start;
exit $status;
