#!/usr/bin/env perl
# A bot for ALLEGRA that keeps low cards and collects triples.
#
# The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
# us something; a line that begins with `ask` needs an answer. To make a better player, change
# what %worth says about each kind of answer.

use strict;
use warnings;
use List::Util qw(first max min sum0);

$| = 1;    # flush after every print

my @columns = 'A' .. 'E';
my @cells   = map { my $row = $_; map { "$_$row" } @columns } 1 .. 3;

my $unseen   = 5;     # an unseen card counts as about the mean
my $bargain  = 4;     # the top of the discard pile must save us this much
my $disaster = 20;    # we end the round, and others have fewer points

my ($seat, %table, @displays, @legal);

# A display is a hash from "A1" to what is there: 7, ? or . or _
sub read_display {
    my %display;
    @display{@cells} = split /[,\/]/, shift;
    return \%display;
}

sub new_match {
    my %match = @_;
    $seat     = $match{seat};
    @displays = map { read_display(join ',', ('?') x 15) } 1 .. $match{seats};
    %table    = ();
    @legal    = ();
}

sub points { my $face = shift; return $face eq '?' ? $unseen : $face =~ /\d/ ? $face : 0 }
sub total  { my $display = shift; return sum0 map { points($_) } values %$display }
sub cards  { my $display = shift; return grep { $display->{$_} =~ /[\d?]/ } @cells }

# How many equal cards a card would meet in a cell: 2 make a triple.
sub matches {
    my ($display, $card, $cell) = @_;
    my ($column, $row) = split //, $cell;

    # Column and row as characters: the card as X, equal cards as =, others as -; gaps are left out.
    my @lines = ([ map { "$column$_" } 1 .. 3 ], [ map { "$_$row" } @columns ]);
    my $drawn = join ' ', map { join '', map { mark($display, $card, $cell, $_) } @$_ } @lines;
    return 2 if $drawn =~ /==X|=X=|X==/;
    return 1 if $drawn =~ /=X-|-=X|=-X|X=-|-X=|X-=/;
    return 0;
}

sub mark {
    my ($display, $card, $cell, $other) = @_;
    my $face = $display->{$other};
    return $other eq $cell ? 'X' : $face eq $card ? '=' : $face eq '.' ? '' : '-';
}

# The points that we save by putting a card into a cell. A pair may become a triple.
sub gain {
    my ($display, $card, $cell) = @_;
    my $bonus = (0, 0.5, 3)[ matches($display, $card, $cell) ];
    return points($display->{$cell}) - $card + $bonus * $card;
}

sub best_gain {
    my ($display, $card) = @_;
    return max -$disaster, map { gain($display, $card, $_) } cards($display);
}

# Our last face-down card ends the round: bad for us unless we have the fewest points.
sub price_of_ending {
    my ($cell, $saved) = @_;
    my $own  = $displays[$seat];
    my @down = grep { $own->{$_} eq '?' } @cells;
    return 0 unless "@down" eq $cell;
    my $least = min map { total($displays[$_]) } grep { $_ != $seat } 0 .. $#displays;
    return total($own) - $saved < $least ? 0 : $disaster;
}

sub lay {
    my ($own, $asked, $cell) = @_;
    my $saved = gain($own, $asked->{drawn} // $asked->{taken}, $cell);
    return $saved - price_of_ending($cell, $saved);
}

# How good an answer is, in points. It gets our display, the details of the question, and the fields
# of the answer after the first.
my %worth = (
    pile    => sub { $bargain },
    discard => sub { best_gain(shift, $table{top}) },
    keep    => \&lay,
    place   => \&lay,
    put     => \&lay,
    drop    => sub { -price_of_ending($_[2], 0) },
    decline => sub { my ($own, $asked) = @_; 3 + best_gain($own, $asked->{drawn}) },
    again   => sub { -1 },
    clear   => sub { my ($own, $asked, $cell) = @_; points($own->{$cell}) },
    knock   => sub {
        my ($own, $asked, $cell) = @_;
        my $card = $asked->{drawn};

        # Whoever accepts takes our best card, so this one must make a triple.
        return -1 unless $cell && matches($own, $card, $cell) == 2;
        return 2 * $card + min(map { points($own->{$_}) } cards($own)) - 3;
    },
    accept => sub {
        my ($own, $asked, $knocker) = @_;
        my $display = $displays[$knocker];
        return max 0, map { best_gain($own, points($display->{$_})) } cards($display);
    },
    take => sub {
        my ($own, $asked, $at) = @_;
        my ($knocker, $cell) = split /:/, $at;
        return best_gain($own, points($displays[$knocker]{$cell}));
    },
);

sub choose {
    my %asked = @_;
    my %marks;
    for my $answer (@legal) {
        my ($verb, @where) = split / /, $answer;
        my $worth = $worth{$verb} // sub { 0 };    # turn any card, pass, toss, none
        $marks{$answer} = $worth->($displays[$seat], \%asked, @where);
    }
    my $most = max values %marks;
    return (first { $marks{$_} == $most } @legal) // 'pass';
}

new_match(seats => 2, seat => 0);

while (my $line = <STDIN>) {
    $line =~ s/\r?\n$//;
    my ($word, $rest) = (split(/ /, $line, 2), '', '');
    my %facts = $rest =~ /(\w+)=(\S*)/g;

    if    ($word eq 'allegra') { print "hello perl legal=on events=off reuse=on\n" }
    elsif ($word eq 'match')   { new_match(%facts) }
    elsif ($word eq 'table')   { %table = %facts }
    elsif ($word eq 'display') { my ($who, $rows) = split / /, $rest; $displays[$who] = read_display($rows) }
    elsif ($word eq 'legal')   { @legal = split /\|/, $rest }
    elsif ($word eq 'ask') {
        my ($number) = split / /, $rest;
        print "$number ", choose(%facts), "\n";
        @legal = ();
    }
    elsif ($word eq 'bye') { last }
}    # We ignore what we do not know.
